CREATE TABLE tests (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    owner TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    spec TEXT NOT NULL,
    idempotency_key TEXT UNIQUE,
    created_ms BIGINT NOT NULL,
    ended_ms BIGINT,
    next_pair BIGINT NOT NULL,
    end_pair BIGINT NOT NULL,
    entries BIGINT NOT NULL,
    late_pairs BIGINT NOT NULL,
    weight DOUBLE PRECISION NOT NULL,
    virtual_time DOUBLE PRECISION NOT NULL
);
CREATE INDEX tests_by_state ON tests (state);
CREATE TABLE owners (
    name TEXT NOT NULL PRIMARY KEY,
    virtual_time DOUBLE PRECISION NOT NULL
);
CREATE TABLE returned (
    test TEXT NOT NULL,
    first_pair BIGINT NOT NULL,
    pairs BIGINT NOT NULL,
    PRIMARY KEY (test, first_pair)
);
CREATE TABLE leases (
    id TEXT NOT NULL PRIMARY KEY,
    test TEXT NOT NULL,
    worker TEXT NOT NULL,
    claim TEXT NOT NULL,
    first_pair BIGINT NOT NULL,
    pairs BIGINT NOT NULL,
    state TEXT NOT NULL,
    slots BIGINT NOT NULL,
    cores BIGINT NOT NULL,
    charged DOUBLE PRECISION NOT NULL,
    granted_ms BIGINT NOT NULL,
    granted_by TEXT NOT NULL,
    progress_ms BIGINT NOT NULL,
    plies BIGINT NOT NULL,
    reported BIGINT NOT NULL,
    played_ms BIGINT NOT NULL,
    idle_ms BIGINT NOT NULL,
    total_ms BIGINT NOT NULL,
    until_ms BIGINT NOT NULL,
    trouble TEXT NOT NULL
);
CREATE INDEX leases_by_end ON leases (state, until_ms);
CREATE INDEX leases_by_worker ON leases (worker, state);
CREATE INDEX leases_by_test ON leases (test, state);
CREATE TABLE pairs (
    test TEXT NOT NULL,
    pair BIGINT NOT NULL,
    lease TEXT NOT NULL,
    worker TEXT NOT NULL,
    received_ms BIGINT NOT NULL,
    late BIGINT NOT NULL,
    games TEXT NOT NULL,
    PRIMARY KEY (test, pair)
);
CREATE TABLE entries (
    test TEXT NOT NULL,
    place BIGINT NOT NULL,
    first_pair BIGINT NOT NULL,
    pairs BIGINT NOT NULL,
    results TEXT,
    PRIMARY KEY (test, place)
);
CREATE TABLE workers (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    host TEXT NOT NULL,
    seen_ms BIGINT NOT NULL
);
CREATE TABLE tokens (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    created_ms BIGINT NOT NULL,
    expires_ms BIGINT,
    revoked_ms BIGINT
);
CREATE TABLE audit (
    id TEXT NOT NULL PRIMARY KEY,
    test TEXT NOT NULL,
    at_ms BIGINT NOT NULL,
    who TEXT NOT NULL,
    action TEXT NOT NULL,
    detail TEXT NOT NULL
);
CREATE INDEX audit_by_test ON audit (test, id);
