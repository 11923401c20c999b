CREATE TABLE crew (
    test TEXT NOT NULL,
    seat BIGINT NOT NULL,
    worker TEXT NOT NULL,
    platform TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (test, seat)
);
CREATE UNIQUE INDEX crew_by_worker ON crew (test, worker, platform);
INSERT INTO crew (test, seat, worker, platform, name)
    SELECT test, ROW_NUMBER() OVER (PARTITION BY test ORDER BY worker), worker, '',
        COALESCE((SELECT workers.name FROM workers WHERE workers.id = worker), worker)
    FROM (SELECT DISTINCT test, worker FROM leases) AS played;

ALTER TABLE leases ADD COLUMN seat BIGINT NOT NULL DEFAULT 0;
UPDATE leases SET seat = COALESCE((SELECT crew.seat FROM crew
    WHERE crew.test = leases.test AND crew.worker = leases.worker), 0);

ALTER TABLE entries ADD COLUMN seat BIGINT NOT NULL DEFAULT 0;
ALTER TABLE entries ADD COLUMN kind BIGINT NOT NULL DEFAULT 0;
UPDATE entries SET kind = 1 WHERE results IS NULL;
UPDATE entries SET seat = COALESCE((SELECT crew.seat FROM pairs JOIN crew
    ON crew.test = pairs.test AND crew.worker = pairs.worker
    WHERE pairs.test = entries.test AND pairs.pair = entries.first_pair), 0)
    WHERE results IS NOT NULL;

CREATE TABLE aside (
    test TEXT NOT NULL,
    pair BIGINT NOT NULL,
    lease TEXT NOT NULL,
    worker TEXT NOT NULL,
    received_ms BIGINT NOT NULL,
    games TEXT NOT NULL,
    PRIMARY KEY (test, pair, lease)
);

CREATE TABLE bars (
    test TEXT NOT NULL,
    worker TEXT NOT NULL,
    kind TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    who TEXT NOT NULL,
    why TEXT NOT NULL,
    PRIMARY KEY (test, worker)
);
CREATE INDEX bars_by_worker ON bars (worker);

CREATE TABLE recounts (
    test TEXT NOT NULL PRIMARY KEY,
    at_ms BIGINT NOT NULL,
    entries BIGINT NOT NULL,
    pairs BIGINT NOT NULL,
    replayed BIGINT NOT NULL,
    differences TEXT NOT NULL
);

ALTER TABLE tests ADD COLUMN looked BIGINT NOT NULL DEFAULT 0;
ALTER TABLE tests ADD COLUMN priority BIGINT;
ALTER TABLE tests ADD COLUMN tags TEXT;
ALTER TABLE tests ADD COLUMN note TEXT;
ALTER TABLE owners ADD COLUMN weight DOUBLE PRECISION NOT NULL DEFAULT 1
