//! A line as words.

/// The words of a line: runs of anything but blanks.
///
/// Carriage returns, tabs and other ASCII blanks separate like spaces, so that neither line ends nor
/// indentation matter to anybody. Bytes that are no UTF-8 are part of words.
#[derive(Clone, Debug)]
pub(crate) struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Words<'a> {
    pub(crate) const fn new(line: &'a [u8]) -> Self {
        Self { rest: line }
    }

    /// What is left, without the blanks around it.
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest.trim_ascii()
    }

    /// The next word as a number, or nothing without moving on: a word that is no number may be the
    /// next key.
    pub(crate) fn number<T: std::str::FromStr>(&mut self) -> Option<T> {
        let mut ahead = self.clone();
        let number = str::from_utf8(ahead.next()?).ok()?.parse().ok()?;
        *self = ahead;
        Some(number)
    }

    /// The run of words here that look like moves, as one slice.
    pub(crate) fn moves(&mut self) -> &'a [u8] {
        let run = self.rest.trim_ascii_start();
        let mut end = 0;
        let mut ahead = self.clone();
        while ahead.next().is_some_and(looks_like_move) {
            *self = ahead.clone();
            end = run.len() - self.rest.len();
        }
        &run[..end]
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest.trim_ascii_start();
        if rest.is_empty() {
            self.rest = rest;
            return None;
        }
        let end = rest
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        Some(word)
    }
}

/// Whether a word has the form of a move: two squares and perhaps a promotion.
const fn looks_like_move(word: &[u8]) -> bool {
    const fn square(file: u8, rank: u8) -> bool {
        matches!(file, b'a'..=b'h') && matches!(rank, b'1'..=b'8')
    }
    match *word {
        [a, b, c, d] => square(a, b) && square(c, d),
        [a, b, c, d, promotion] => {
            square(a, b)
                && square(c, d)
                && matches!(promotion.to_ascii_lowercase(), b'q' | b'r' | b'b' | b'n')
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_blanks_separate_and_none_is_part_of_a_word() {
        let words: Vec<_> = Words::new(b" \tinfo\t depth  5\r\n").collect();
        assert_eq!(words, [&b"info"[..], b"depth", b"5"]);
        assert_eq!(Words::new(b" \t\r\n").next(), None);
    }

    #[test]
    fn a_run_of_moves_ends_at_the_first_word_that_is_none() {
        let mut words = Words::new(b"  e2e4 \t e7e8Q  nps 3");
        assert_eq!(words.moves(), b"e2e4 \t e7e8Q");
        assert_eq!(words.next(), Some(&b"nps"[..]));
        assert_eq!(Words::new(b"nps 3").moves(), b"");
        assert_eq!(Words::new(b"").moves(), b"");
    }

    #[test]
    fn a_word_that_is_no_number_is_left_where_it_is() {
        let mut words = Words::new(b"12 x");
        assert_eq!(words.number(), Some(12u32));
        assert_eq!(words.number::<u32>(), None);
        assert_eq!(words.next(), Some(&b"x"[..]));
    }
}
