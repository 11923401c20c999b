//! A coordinator as its visitors know it: over HTTP, on a port of its own, with a folder of its own.

mod artifacts;
mod books;
mod bounds;
mod cases;
mod crew;
mod disk;
mod document;
mod doors;
mod fairness;
mod figures;
mod folder;
mod house;
mod limits;
mod lists;
mod malformed;
mod operations;
mod postgres;
mod recount;
mod users;
mod wishes;
mod work;
