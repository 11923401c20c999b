//! Books that are open: a thousand tests with one book read it once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use book::{Book, BookError};
use match_core::spec::{BookSource, Variant};

/// Books by where they come from and how they are read, as long as some test uses them.
#[derive(Clone, Debug, Default)]
pub(super) struct Library(Arc<Mutex<HashMap<String, Weak<Book>>>>);

impl Library {
    /// The book from `source`. Who is the first to ask for it waits until it is read, and so do others
    /// who ask meanwhile.
    pub(super) fn open(
        &self,
        source: &BookSource,
        variant: Variant,
    ) -> Result<Arc<Book>, BookError> {
        let mut books = self.0.lock().expect("nobody panics with it");
        let key = format!("{source:?} {variant:?}");
        if let Some(book) = books.get(&key).and_then(Weak::upgrade) {
            return Ok(book);
        }
        books.retain(|_, book| book.strong_count() > 0);
        let book = Arc::new(Book::open(source, variant)?);
        books.insert(key, Arc::downgrade(&book));
        Ok(book)
    }
}
