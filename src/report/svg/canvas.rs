//! Where shapes are written: SVG text with classes, never colours.
//!
//! It must not know a chart. Invariant: every text is escaped.

use std::fmt::Write;

/// How many targets have a colour, shape and dash of their own; further ones begin anew.
pub(crate) const STYLES: usize = 8;

/// Where a text is anchored.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// An SVG picture being drawn.
#[derive(Debug)]
pub(crate) struct Canvas {
    width: f64,
    height: f64,
    body: String,
}

impl Canvas {
    pub(crate) fn new(width: f64, height: f64) -> Self {
        Canvas { width, height, body: String::new() }
    }

    /// The whole picture; `label` says what it shows to whoever can't see it.
    pub(crate) fn finish(self, label: &str) -> String {
        self.finish_as("chart", label)
    }

    /// The whole picture with a class of its own; without a label it is an ornament.
    pub(crate) fn finish_as(self, class: &str, label: &str) -> String {
        let (width, height) = (short(self.width), short(self.height));
        let said = match label {
            "" => "aria-hidden=\"true\"".to_owned(),
            label => format!("role=\"img\" aria-label=\"{}\"", escape(label)),
        };
        format!(
            "<svg class=\"{class}\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" {said}>{}</svg>",
            self.body
        )
    }

    /// Opens a group; `column` names the target that it belongs to, for filters.
    pub(crate) fn open(&mut self, class: &str, column: Option<&str>) {
        let _ = match column {
            Some(column) => write!(self.body, "<g class=\"{class}\" data-column=\"{}\">", escape(column)),
            None => write!(self.body, "<g class=\"{class}\">"),
        };
    }

    pub(crate) fn close(&mut self) {
        self.body.push_str("</g>");
    }

    pub(crate) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let (x1, y1, x2, y2) = (short(from.0), short(from.1), short(to.0), short(to.1));
        let _ = write!(self.body, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
    }

    pub(crate) fn rect(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64), title: &str) {
        let (x, y, width, height) = (short(x), short(y), short(width.max(0.0)), short(height.max(0.0)));
        let _ = write!(self.body, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
        self.titled("rect", title);
    }

    /// A rectangle whose fill is as strong as `strength` says, from 0 to 1.
    pub(crate) fn shade(&mut self, class: &str, at: (f64, f64), size: (f64, f64), strength: f64, title: &str) {
        let (x, y, width, height) = (short(at.0), short(at.1), short(size.0), short(size.1));
        let _ = write!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill-opacity=\"{}\"",
            format_args!("{strength:.2}")
        );
        self.titled("rect", title);
    }

    pub(crate) fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, text: &str) {
        let (x, y, anchor) = (short(x), short(y), anchor.name());
        let _ = write!(
            self.body,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{}</text>",
            escape(text)
        );
    }

    /// A line through points.
    pub(crate) fn path(&mut self, class: &str, points: &[(f64, f64)]) {
        if points.len() < 2 {
            return;
        }
        let mut d = String::new();
        for (index, (x, y)) in points.iter().enumerate() {
            let _ = write!(d, "{}{} {}", if index == 0 { "M" } else { "L" }, short(*x), short(*y));
        }
        let _ = write!(self.body, "<path class=\"{class}\" d=\"{d}\"/>");
    }

    /// A target's own shape around a point.
    pub(crate) fn marker(&mut self, style: usize, (x, y): (f64, f64), size: f64, title: &str) {
        let s = size;
        let points: &[(f64, f64)] = match style % STYLES {
            0 => {
                let _ = write!(
                    self.body,
                    "<circle class=\"mark\" cx=\"{}\" cy=\"{}\" r=\"{}\"",
                    short(x),
                    short(y),
                    short(s)
                );
                return self.titled("circle", title);
            }
            1 => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
            2 => &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
            3 => &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
            4 => &[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)],
            5 => &[(-0.4, -1.2), (0.4, -1.2), (0.4, 1.2), (-0.4, 1.2)],
            6 => &[(-1.2, -0.4), (1.2, -0.4), (1.2, 0.4), (-1.2, 0.4)],
            _ => &[(0.0, -1.2), (1.15, -0.35), (0.7, 1.0), (-0.7, 1.0), (-1.15, -0.35)],
        };
        let mut d = String::new();
        for (index, (dx, dy)) in points.iter().enumerate() {
            let _ = write!(d, "{}{} {}", if index == 0 { "M" } else { "L" }, short(x + dx * s), short(y + dy * s));
        }
        let _ = write!(self.body, "<path class=\"mark\" d=\"{d}Z\"");
        self.titled("path", title);
    }

    /// Ends an element that was begun, with a title where there is one.
    fn titled(&mut self, element: &str, title: &str) {
        let _ = match title {
            "" => write!(self.body, "/>"),
            title => write!(self.body, "><title>{}</title></{element}>", escape(title)),
        };
    }
}

/// The classes of a target's strokes and shapes.
pub(crate) fn style_class(style: usize) -> String {
    format!("t{}", style % STYLES)
}

/// A coordinate without needless digits.
fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// Text as it may stand in SVG and HTML.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
    out
}
