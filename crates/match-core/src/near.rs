//! Which of the allowed words somebody may have meant.

/// Words that differ by more than this share of the longer one were not meant.
///
/// 0.7 of normalized Damerau-Levenshtein finds one slip in a word of four letters and two in a word
/// of seven, and offers nothing for an unrelated word.
const LIKENESS_MIN: f64 = 0.7;

/// The candidate nearest to `word`, if any is near.
pub(crate) fn near<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| {
            let likeness = strsim::normalized_damerau_levenshtein(&word, &candidate.to_lowercase());
            (likeness, candidate)
        })
        .filter(|&(likeness, _)| likeness >= LIKENESS_MIN)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}
