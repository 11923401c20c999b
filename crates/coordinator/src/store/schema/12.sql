CREATE TABLE late (
    test TEXT NOT NULL,
    half_points BIGINT NOT NULL,
    pairs BIGINT NOT NULL,
    PRIMARY KEY (test, half_points)
)
