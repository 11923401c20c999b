//! What a PGN says of a game, read by other code than arbiter's own.

use std::collections::BTreeMap;

/// A game's tags and what follows them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    tags: BTreeMap<String, String>,
    /// Moves, comments and result, in one line.
    pub text: String,
}

impl Game {
    /// The games of a PGN: a line that begins with `[` after one that does not begins a new one.
    pub fn read_all(pgn: &str) -> Vec<Self> {
        let mut games: Vec<Self> = Vec::new();
        let mut in_tags = false;
        for line in pgn.lines().filter(|line| !line.is_empty()) {
            let tag = line
                .strip_prefix('[')
                .and_then(|line| line.strip_suffix("\"]"));
            if let Some((name, value)) = tag.and_then(|tag| tag.split_once(" \"")) {
                if !in_tags {
                    games.push(Self::default());
                }
                in_tags = true;
                let game = games.last_mut().expect("one was pushed");
                game.tags.insert(name.to_owned(), value.to_owned());
            } else {
                in_tags = false;
                let game = games.last_mut().expect("tags come first");
                game.text.push_str(line);
                game.text.push(' ');
            }
        }
        games
    }

    /// A tag's value; empty if there is none.
    pub fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", String::as_str)
    }

    /// The moves alone.
    pub fn moves(&self) -> Vec<&str> {
        let uncommented = self.text.split('}').flat_map(|part| part.split('{').next());
        let words = uncommented.flat_map(str::split_whitespace);
        let is_move = |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic());
        words.filter(is_move).collect()
    }

    /// The last comment.
    pub fn last_comment(&self) -> &str {
        let comment = self.text.rsplit_once('{').map(|(_, comment)| comment);
        comment
            .and_then(|comment| comment.split('}').next())
            .unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_moves_and_comments_are_told_apart() {
        let pgn =
            "[White \"a\"]\n[Result \"1-0\"]\n\n1. e4 {x} e5\n{y} 1-0\n\n[White \"b\"]\n\n*\n";
        let games = Game::read_all(pgn);
        assert_eq!(games.len(), 2);
        assert_eq!((games[0].tag("White"), games[1].tag("White")), ("a", "b"));
        assert_eq!(games[0].moves(), ["e4", "e5"]);
        assert_eq!(games[0].last_comment(), "y");
    }
}
