CREATE TABLE users (
    name TEXT NOT NULL PRIMARY KEY,
    password TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_ms BIGINT NOT NULL,
    disabled_ms BIGINT
);
ALTER TABLE tokens ADD COLUMN by_login BIGINT NOT NULL DEFAULT 0;
CREATE INDEX tokens_by_owner ON tokens (owner)
