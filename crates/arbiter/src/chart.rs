//! Charts as SVG: lines, text and nothing from elsewhere, so that a file can be read, compared and
//! shown anywhere.

use std::fmt::{self, Display, Write};

use stats::Fixed;

/// A place on a chart, in pixels from the upper left corner.
pub(crate) type Place = (f64, f64);

/// A chart under way.
#[derive(Debug)]
pub(crate) struct Chart {
    width: f64,
    height: f64,
    title: String,
    body: String,
}

/// What something is drawn with. The colours are those of Okabe and Ito (2008), which everybody can
/// tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Words and marks.
    Text,
    /// Words that explain.
    Faint,
    /// Lines behind everything.
    Grid,
    /// The first set of data.
    Blue,
    /// The second.
    Orange,
    /// The third.
    Red,
}

/// Which end of a text is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// It goes on to the right.
    Start,
    /// It is centred.
    Middle,
    /// It ends here.
    End,
}

/// Values as places along an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    values: [f64; 2],
    places: [f64; 2],
}

/// Round values for the marks of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ticks {
    first: i64,
    last: i64,
    step: f64,
}

impl Chart {
    /// An empty chart of so many pixels with a title on its first line.
    pub(crate) fn new(width: f64, height: f64, title: impl Into<String>) -> Self {
        let title = title.into();
        let mut chart = Self {
            width,
            height,
            title: title.clone(),
            body: String::new(),
        };
        let heading = format!("font-weight=\"600\" {}", Ink::Text.fill());
        chart.words((16.0, 26.0), &heading, &title);
        chart
    }

    /// Writes a text.
    pub(crate) fn text(&mut self, at: Place, anchor: Anchor, ink: Ink, text: impl Display) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => "text-anchor=\"middle\" ",
            Anchor::End => "text-anchor=\"end\" ",
        };
        self.words(at, &format!("{anchor}{}", ink.fill()), &text.to_string());
    }

    /// Draws a straight line.
    pub(crate) fn rule(&mut self, from: Place, to: Place, ink: Ink, width: f64) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(pixels);
        let stroke = ink.stroke(width);
        self.put(format_args!(
            r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {stroke}/>"#
        ));
    }

    /// Draws a straight line of dashes.
    pub(crate) fn dashes(&mut self, from: Place, to: Place, ink: Ink) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(pixels);
        let stroke = ink.stroke(1.0);
        self.put(format_args!(
            r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {stroke} stroke-dasharray="4 3"/>"#
        ));
    }

    /// Draws a line through all places.
    pub(crate) fn curve(&mut self, places: impl IntoIterator<Item = Place>, ink: Ink) {
        let mut points = String::new();
        for (x, y) in places {
            let blank = if points.is_empty() { "" } else { " " };
            let _a_string_takes_all = write!(points, "{blank}{},{}", pixels(x), pixels(y));
        }
        let stroke = ink.stroke(2.0);
        self.put(format_args!(
            r#"<polyline points="{points}" fill="none" stroke-linejoin="round" {stroke}/>"#
        ));
    }

    /// Draws a point.
    pub(crate) fn dot(&mut self, at: Place, ink: Ink) {
        let (x, y) = (pixels(at.0), pixels(at.1));
        let fill = ink.fill();
        self.put(format_args!(r#"<circle cx="{x}" cy="{y}" r="4" {fill}/>"#));
    }

    /// Draws an axis below a panel that begins at the height `top`: marks, grid and the name of
    /// what is measured.
    pub(crate) fn axis_below(&mut self, scale: Scale, [top, bottom]: [f64; 2], name: &str) {
        for (value, text) in scale.ticks(8) {
            let x = scale.at(value);
            self.rule((x, top), (x, bottom), Ink::Grid, 1.0);
            self.text((x, bottom + 18.0), Anchor::Middle, Ink::Faint, text);
        }
        let [left, right] = scale.places;
        self.rule((left, bottom), (right, bottom), Ink::Faint, 1.0);
        let middle = f64::midpoint(left, right);
        self.text((middle, bottom + 38.0), Anchor::Middle, Ink::Text, name);
    }

    /// Draws an axis on the left of a panel; `unit` stands behind every number.
    pub(crate) fn axis_left(&mut self, scale: Scale, [left, right]: [f64; 2], unit: &str) {
        for (value, text) in scale.ticks(5) {
            let y = scale.at(value);
            self.rule((left, y), (right, y), Ink::Grid, 1.0);
            let text = format!("{text}{unit}");
            self.text((left - 8.0, y + 4.0), Anchor::End, Ink::Faint, text);
        }
    }

    /// Draws a second axis for a panel that ends at `right`; `unit` stands behind every number.
    pub(crate) fn axis_right(&mut self, scale: Scale, right: f64, unit: &str) {
        for (value, text) in scale.ticks(5) {
            let text = format!("{text}{unit}");
            let at = (right + 8.0, scale.at(value) + 4.0);
            self.text(at, Anchor::Start, Ink::Faint, text);
        }
    }

    /// The file.
    pub(crate) fn finish(self) -> String {
        let Self {
            width,
            height,
            title,
            body,
        } = self;
        let title = Escaped(&title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" \
             font-family=\"system-ui, sans-serif\" font-size=\"13\">\n\
             <title>{title}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
             {body}</svg>\n"
        )
    }

    fn words(&mut self, at: Place, style: &str, text: &str) {
        let (x, y) = (pixels(at.0), pixels(at.1));
        let text = Escaped(text);
        self.put(format_args!(
            r#"<text x="{x}" y="{y}" {style}>{text}</text>"#
        ));
    }

    fn put(&mut self, element: fmt::Arguments<'_>) {
        let _a_string_takes_all = writeln!(self.body, "{element}");
    }
}

impl Ink {
    const fn color(self) -> &'static str {
        match self {
            Self::Text => "#222222",
            Self::Faint => "#666666",
            Self::Grid => "#e5e5e5",
            Self::Blue => "#0072b2",
            Self::Orange => "#e69f00",
            Self::Red => "#d55e00",
        }
    }

    fn fill(self) -> String {
        format!("fill=\"{}\"", self.color())
    }

    fn stroke(self, width: f64) -> String {
        format!("stroke=\"{}\" stroke-width=\"{width}\"", self.color())
    }
}

impl Scale {
    /// Places from `places[0]` for `values[0]` to `places[1]` for `values[1]`. Values that are all
    /// the same get some room.
    pub(crate) fn new(values: [f64; 2], places: [f64; 2]) -> Self {
        let [low, high] = values;
        let values = if low < high {
            values
        } else {
            [low - 1.0, low + 1.0]
        };
        Self { values, places }
    }

    /// The place of a value.
    pub(crate) fn at(self, value: f64) -> f64 {
        let ([low, high], [start, end]) = (self.values, self.places);
        start + (value - low) / (high - low) * (end - start)
    }

    /// About `count` round values within the scale, with their texts.
    pub(crate) fn ticks(self, count: usize) -> impl Iterator<Item = (f64, String)> {
        let ticks = Ticks::within(self.values, count);
        (ticks.first..=ticks.last).map(move |i| {
            let value = i as f64 * ticks.step;
            (value, ticks.text(value))
        })
    }
}

impl Ticks {
    /// About `count` multiples of 1, 2 or 5 times a power of ten.
    fn within([low, high]: [f64; 2], count: usize) -> Self {
        let rough = (high - low) / count.max(1) as f64;
        let power = 10_f64.powf(rough.log10().floor());
        let factor = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .find(|factor| rough <= factor * power * (1.0 + 1e-9))
            .unwrap_or(10.0);
        let step = factor * power;
        // A value on the very edge may be a rounding error beyond it.
        Self {
            first: (low / step - 1e-9).ceil() as i64,
            last: (high / step + 1e-9).floor() as i64,
            step,
        }
    }

    fn text(self, value: f64) -> String {
        let (unit, name) = match self.step {
            _ if self.step >= 1e6 => (1e6, "M"),
            _ if self.step >= 1e3 => (1e3, "k"),
            _ => (1.0, ""),
        };
        let decimals = (-(self.step / unit).log10().floor()).max(0.0) as usize;
        let number = Fixed(value / unit, decimals).to_string();
        if value == 0.0 { number } else { number + name }
    }
}

/// A tenth of a pixel is finer than anybody sees.
fn pixels(length: f64) -> Fixed {
    Fixed(length, 1)
}

/// Text that is no markup, whatever it holds.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                // XML 1.0 has no way to write these.
                c if c.is_control() => f.write_char('\u{fffd}')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(values: [f64; 2], count: usize, expected: &str) {
        let scale = Scale::new(values, [0.0, 100.0]);
        let texts: Vec<String> = scale.ticks(count).map(|(_, text)| text).collect();
        assert_eq!(texts.join(" "), expected);
    }

    #[test]
    fn marks_are_round_and_within_the_scale() {
        check([-1.0, 3.0], 8, "-1.0 -0.5 0.0 0.5 1.0 1.5 2.0 2.5 3.0");
        check([0.0, 1.0], 5, "0.0 0.2 0.4 0.6 0.8 1.0");
        check([-103.0, 97.0], 4, "-100 -50 0 50");
        check([0.0, 260_000.0], 5, "0 100k 200k");
        check([0.0, 7_500_000.0], 5, "0 2M 4M 6M");
        check([1_999.0, 2_001.0], 2, "1999 2000 2001");
        check([5.0, 5.0], 2, "4 5 6");
    }

    #[test]
    fn values_become_places() {
        let scale = Scale::new([-1.0, 3.0], [200.0, 100.0]);
        assert_eq!(
            [-1.0, 1.0, 3.0].map(|value| scale.at(value)),
            [200.0, 150.0, 100.0]
        );
    }

    #[test]
    fn names_of_engines_are_no_markup() {
        let mut chart = Chart::new(100.0, 50.0, "a < b");
        chart.text((1.0, 2.0), Anchor::Start, Ink::Text, "\"R&D\" \u{7}");
        let svg = chart.finish();
        assert!(svg.contains("<title>a &lt; b</title>"), "{svg}");
        assert!(
            svg.contains(">&quot;R&amp;D&quot; \u{fffd}</text>"),
            "{svg}"
        );
    }
}
