//! Columns of text.

/// The longest cell, in characters. Names come from anywhere.
const CELL_MAX: usize = 80;

/// How wide labels are: the longest and two blanks.
const LABEL_WIDTH: usize = "pentanomial".len() + 2;

/// A line that begins with a label, so that a script can pick it out.
pub(crate) fn labelled(label: &str, text: &str) -> String {
    format!("{label:<LABEL_WIDTH$}{text}")
}

/// As [`aligned`], with the names of the columns before the rows.
pub(crate) fn headed<const COLUMNS: usize>(
    head: [&str; COLUMNS],
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Vec<String> {
    let head = head.map(str::to_owned).to_vec();
    let rows: Vec<_> = std::iter::once(head).chain(rows).collect();
    aligned(&rows)
}

/// Lines in which the columns of `rows` stand under each other, the first column flush left and all
/// others flush right.
pub(crate) fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(|cell| clipped(cell)).collect())
        .collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate();
        let padded = cells.map(|(column, (cell, &width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        let line = padded.collect::<Vec<_>>().join("  ");
        line.trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// A cell that is not too long, or its beginning.
fn clipped(cell: &str) -> String {
    match cell.char_indices().nth(CELL_MAX) {
        None => cell.to_owned(),
        Some(_) => {
            let begin: String = cell.chars().take(CELL_MAX - 1).collect();
            begin + "…"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn a_name_without_end_does_not_spoil_a_table() {
        let row = |name: String| vec![name, "1".to_owned()];
        let lines = aligned(&[row("x".repeat(100_000)), row("y".to_owned())]);
        assert_eq!(lines[0].chars().count(), 83);
        assert!(lines[0].ends_with("x…  1"), "{}", lines[0]);
        assert_eq!(lines[1].chars().count(), 83);
    }
}
