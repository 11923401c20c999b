//! Books that are open: a thousand tests with one book read it once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};

use book::{Book, BookError};
use match_core::spec::{BookSource, Variant};

/// Books by where they come from and how they are read, as long as some test uses them.
#[derive(Clone, Debug, Default)]
pub(super) struct Library(Arc<Mutex<HashMap<String, Shelf>>>);

/// The place of a book, for whoever reads it and those who wait for it.
type Shelf = Arc<Mutex<Weak<Book>>>;

impl Library {
    /// The book from `source`. Who is the first to ask for it waits until it is read, and so do others
    /// who ask for the same one meanwhile.
    pub(super) fn open(
        &self,
        source: &BookSource,
        variant: Variant,
    ) -> Result<Arc<Book>, BookError> {
        let shelf = self.shelf(format!("{source:?} {variant:?}"));
        let mut place = shelf.lock().expect("nobody panics with it");
        if let Some(book) = place.upgrade() {
            return Ok(book);
        }
        let book = Arc::new(Book::open(source, variant)?);
        *place = Arc::downgrade(&book);
        Ok(book)
    }

    fn shelf(&self, key: String) -> Shelf {
        let mut shelves = self.0.lock().expect("nobody panics with it");
        // One that is in nobody's hands is not locked either.
        shelves.retain(|_, shelf| {
            let is_wanted = || shelf.lock().is_ok_and(|book| book.strong_count() > 0);
            Arc::strong_count(shelf) > 1 || is_wanted()
        });
        Arc::clone(shelves.entry(key).or_default())
    }
}

/// Whether the file at `path` lies in one of `folders`, which are canonical, whatever links lead there.
pub(super) fn is_below(path: &Path, folders: &[PathBuf]) -> bool {
    let file = path.canonicalize();
    file.is_ok_and(|file| folders.iter().any(|folder| file.starts_with(folder)))
}
