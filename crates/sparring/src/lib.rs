//! The small built-in UCI engine: alpha-beta with levels, and vices for tests.
