CREATE TABLE speeds (
    test TEXT NOT NULL,
    worker TEXT NOT NULL,
    lease TEXT NOT NULL,
    nps BIGINT NOT NULL,
    at_ms BIGINT NOT NULL,
    PRIMARY KEY (test, worker)
)
