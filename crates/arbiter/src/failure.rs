//! Why a command could not be carried out, in the form in which `main` prints it.

use std::error::Error;

use crate::exit::Exit;

/// An error that ends the process.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    cause: Box<dyn Error + Send + Sync>,
    hint: Option<String>,
}

impl Failure {
    /// The person's input is wrong.
    pub(crate) fn usage(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::new(Exit::Usage, cause)
    }

    /// Anything else.
    pub(crate) fn new(exit: Exit, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self {
            exit,
            cause: cause.into(),
            hint: None,
        }
    }

    /// Adds what to do about it.
    pub(crate) fn with_hint(self, hint: Option<String>) -> Self {
        Self { hint, ..self }
    }

    /// The same with another code.
    pub(crate) fn with_exit(self, exit: Exit) -> Self {
        Self { exit, ..self }
    }

    /// The code to end with.
    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }

    /// What to do about it, if something can be said.
    pub(crate) fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The causes in one line, outermost first.
    pub(crate) fn chain(&self) -> String {
        let mut text = self.cause.to_string();
        let mut source = self.cause.source();
        while let Some(cause) = source {
            text.push_str(": ");
            text.push_str(&cause.to_string());
            source = cause.source();
        }
        text
    }
}
