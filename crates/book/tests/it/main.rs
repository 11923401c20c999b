//! Books of every kind, through the public door.

mod books;
mod folder;
mod shared;
