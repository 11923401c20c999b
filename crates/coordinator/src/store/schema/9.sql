CREATE TABLE archives (
    test TEXT NOT NULL PRIMARY KEY,
    at_ms BIGINT NOT NULL,
    pairs BIGINT NOT NULL
);
