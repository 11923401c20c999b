CREATE TABLE trials (
    test TEXT NOT NULL,
    worker TEXT NOT NULL,
    host TEXT NOT NULL,
    agreed BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    last TEXT NOT NULL,
    until_ms BIGINT NOT NULL,
    PRIMARY KEY (test, worker)
);
CREATE INDEX trials_by_worker ON trials (worker, until_ms);

CREATE TABLE troubles (
    lease TEXT NOT NULL PRIMARY KEY,
    test TEXT NOT NULL,
    worker TEXT NOT NULL,
    host TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX troubles_by_test ON troubles (test, at_ms);
