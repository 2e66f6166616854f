//! A heat map: a value in each field, its strength as shade.
//!
//! It must not rely on the shade: the number stands in each field. Invariant: a field without a number has no shade.

use super::canvas::{Anchor, Canvas};

/// One field.
#[derive(Clone, Debug, Default)]
pub(crate) struct Field {
    pub(crate) text: String,
    /// From -1 (worse) over 0 to 1 (better); none: no number.
    pub(crate) strength: Option<f64>,
    pub(crate) title: String,
}

/// A heat map: a row a value of the second axis, a column a value of the first.
#[derive(Clone, Debug)]
pub(crate) struct Heat {
    pub(crate) label: String,
    pub(crate) x_label: String,
    pub(crate) y_label: String,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<String>,
    /// Row by row.
    pub(crate) fields: Vec<Vec<Field>>,
}

const FIELD: (f64, f64) = (78.0, 34.0);

/// Draws it.
pub(crate) fn heat(heat: &Heat) -> String {
    let longest = heat.rows.iter().map(|row| row.chars().count()).chain([heat.y_label.chars().count()]).max();
    let left = longest.unwrap_or(1) as f64 * 6.6 + 12.0;
    let top = 34.0;
    let (width, height) =
        (left + heat.columns.len() as f64 * FIELD.0 + 4.0, top + heat.rows.len() as f64 * FIELD.1 + 4.0);
    let least = heat.x_label.chars().count() as f64 * 6.4 + left;
    let mut canvas = Canvas::new(width.max(least), height);
    canvas.text("axis-label", (left, 11.0), Anchor::Start, &heat.x_label);
    canvas.text("axis-label", (left - 6.0, 27.0), Anchor::End, &heat.y_label);
    for (index, column) in heat.columns.iter().enumerate() {
        canvas.text("tick", (left + (index as f64 + 0.5) * FIELD.0, 27.0), Anchor::Middle, column);
    }
    for (index, (row, fields)) in heat.rows.iter().zip(&heat.fields).enumerate() {
        let y = top + index as f64 * FIELD.1;
        canvas.text("tick", (left - 6.0, y + FIELD.1 / 2.0 + 4.0), Anchor::End, row);
        for (index, field) in fields.iter().enumerate() {
            draw(&mut canvas, field, (left + index as f64 * FIELD.0, y));
        }
    }
    canvas.finish(&heat.label)
}

fn draw(canvas: &mut Canvas, field: &Field, (x, y): (f64, f64)) {
    let (at, size) = ((x + 1.5, y + 1.5), (FIELD.0 - 3.0, FIELD.1 - 3.0));
    match field.strength {
        Some(strength) => {
            let class = if strength < 0.0 { "worse" } else { "better" };
            canvas.shade(class, at, size, 0.06 + 0.5 * strength.abs().min(1.0), &field.title);
        }
        None => canvas.rect("none", at, size, &field.title),
    }
    let class = if field.strength.is_some() { "field" } else { "field-none" };
    canvas.text(class, (x + FIELD.0 / 2.0, y + FIELD.1 / 2.0 + 4.0), Anchor::Middle, &field.text);
}
