CREATE TABLE scores (
    test TEXT NOT NULL PRIMARY KEY,
    entries BIGINT NOT NULL,
    pairs BIGINT NOT NULL,
    pairs_wanted BIGINT,
    llr DOUBLE PRECISION
)
