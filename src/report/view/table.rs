//! A table: heads with units, rows of cells, each cell a text and the exact value behind it.
//!
//! It must not know where it is shown. Invariant: every row has as many cells as there are heads.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::report::model::settings::unique;
use crate::report::number::{Unit, exact, three};

/// How a cell is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Tone {
    #[default]
    Plain,
    Best,
    Warn,
    Bad,
    Muted,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct TableCell {
    pub(crate) text: String,
    /// The exact value, where the text is rounded.
    pub(crate) raw: Option<String>,
    /// What is said to whoever points at it.
    pub(crate) title: Option<String>,
    pub(crate) tone: Tone,
}

impl TableCell {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        TableCell { text: text.into(), ..TableCell::default() }
    }

    /// What was not measured: a dash, and no value.
    pub(crate) fn missing() -> Self {
        TableCell {
            text: "–".to_owned(),
            raw: Some(String::new()),
            title: Some("not measured".to_owned()),
            tone: Tone::Muted,
        }
    }

    pub(crate) fn toned(mut self, tone: Tone) -> Self {
        self.tone = tone;
        self
    }

    pub(crate) fn titled(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// The value for a machine.
    pub(crate) fn value(&self) -> &str {
        self.raw.as_deref().unwrap_or(&self.text)
    }
}

/// A column's head.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Head {
    pub(crate) text: String,
    /// As shown.
    pub(crate) unit: Option<String>,
    /// Of the exact values.
    pub(crate) raw_unit: Option<String>,
    pub(crate) numeric: bool,
    /// The report's column that it is about.
    pub(crate) column: Option<String>,
}

/// What a row is about, for filters.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Tags {
    pub(crate) scenario: Option<String>,
    pub(crate) operation: Option<String>,
    pub(crate) column: Option<String>,
}

impl Tags {
    pub(crate) fn new(scenario: &str, operation: Option<&str>, column: Option<&str>) -> Self {
        let owned = |text: &str| text.to_owned();
        Tags { scenario: Some(owned(scenario)), operation: operation.map(owned), column: column.map(owned) }
    }
}

/// A row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct TableRow {
    pub(crate) tags: Tags,
    pub(crate) cells: Vec<TableCell>,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Table {
    /// Unique in the report; also its CSV's name.
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) note: Option<String>,
    pub(crate) heads: Vec<Head>,
    pub(crate) rows: Vec<TableRow>,
}

impl Table {
    /// A table with rows about these, no column yet.
    pub(crate) fn new(id: &str, title: &str, rows: Vec<Tags>) -> Self {
        let rows = rows.into_iter().map(|tags| TableRow { tags, cells: Vec::new() }).collect();
        Table { id: id.to_owned(), title: title.to_owned(), note: None, heads: Vec::new(), rows }
    }

    pub(crate) fn noted(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Adds a column of cells, one a row.
    pub(crate) fn cells(mut self, head: Head, cells: impl IntoIterator<Item = TableCell>) -> Self {
        let mut cells = cells.into_iter();
        for row in &mut self.rows {
            row.cells.push(cells.next().unwrap_or_else(TableCell::missing));
        }
        self.heads.push(head);
        self
    }

    /// Adds a column of texts.
    pub(crate) fn texts<T: Into<String>>(self, head: &str, texts: impl IntoIterator<Item = T>) -> Self {
        let head = Head { text: head.to_owned(), ..Head::default() };
        self.cells(head, texts.into_iter().map(TableCell::text))
    }

    /// Adds a column of texts, a dash where there is none.
    pub(crate) fn options<T: Into<String>>(self, head: &str, texts: impl IntoIterator<Item = Option<T>>) -> Self {
        let head = Head { text: head.to_owned(), ..Head::default() };
        self.cells(head, texts.into_iter().map(|text| text.map_or_else(TableCell::missing, TableCell::text)))
    }

    /// Adds a column of numbers in the unit that fits them all.
    pub(crate) fn numbers(self, head: &str, unit: Unit, values: impl IntoIterator<Item = Option<f64>>) -> Self {
        let values: Vec<Option<f64>> = values.into_iter().collect();
        let scale = unit.scale(values.iter().flatten().copied());
        let head = Head {
            text: head.to_owned(),
            unit: Some(scale.name.to_owned()),
            raw_unit: Some(unit.name().to_owned()),
            numeric: true,
            column: None,
        };
        self.cells(head, values.into_iter().map(|value| number(value, unit, scale.divisor)))
    }

    /// Adds a column of counts or plain numbers without a unit, as they are.
    pub(crate) fn counts(self, head: &str, values: impl IntoIterator<Item = Option<u64>>) -> Self {
        let head = Head { text: head.to_owned(), unit: None, raw_unit: None, numeric: true, column: None };
        let cell = |value: Option<u64>| {
            value.map_or_else(TableCell::missing, |value| TableCell {
                raw: Some(value.to_string()),
                ..TableCell::text(crate::report::number::count(value))
            })
        };
        self.cells(head, values.into_iter().map(cell))
    }

    /// Adds a column of plain numbers with three digits.
    pub(crate) fn plain(self, head: &str, unit: Option<&str>, values: impl IntoIterator<Item = Option<f64>>) -> Self {
        let owned = unit.map(str::to_owned);
        let head = Head { text: head.to_owned(), unit: owned.clone(), raw_unit: owned, numeric: true, column: None };
        self.cells(head, values.into_iter().map(|value| number(value, Unit::Ratio, 1.0)))
    }

    /// Adds the scenario and a column for each axis that any row has, given row by row.
    pub(crate) fn places(self, places: &[(&str, &[(String, String)])]) -> Self {
        let axes = unique(places.iter().flat_map(|(_, axes)| axes.iter().map(|(axis, _)| axis.as_str())));
        let mut table = self.texts("Scenario", places.iter().map(|(scenario, _)| *scenario));
        for axis in axes {
            let value =
                |axes: &[(String, String)]| axes.iter().find(|(name, _)| name == axis).map(|(_, value)| value.clone());
            let cells: Vec<Option<String>> = places.iter().map(|(_, axes)| value(axes)).collect();
            let numeric = cells.iter().flatten().all(|value| value.parse::<f64>().is_ok());
            let head = Head { text: axis.to_owned(), unit: None, raw_unit: None, numeric, column: None };
            // An axis that a scenario does not have is empty, not missing.
            table = table.cells(head, cells.into_iter().map(|value| TableCell::text(value.unwrap_or_default())));
        }
        table
    }

    /// Drops columns in which no row has a value.
    pub(crate) fn without_empty_columns(mut self) -> Self {
        let empty: BTreeSet<usize> = (0..self.heads.len())
            .filter(|index| self.rows.iter().all(|row| ["", "–"].contains(&row.cells[*index].text.as_str())))
            .collect();
        let keep = |index: &mut usize| {
            *index += 1;
            !empty.contains(&(*index - 1))
        };
        let mut index = 0;
        self.heads.retain(|_| keep(&mut index));
        for row in &mut self.rows {
            let mut index = 0;
            row.cells.retain(|_| keep(&mut index));
        }
        self
    }
}

/// A number's cell; a dash where there is none.
pub(crate) fn number(value: Option<f64>, unit: Unit, divisor: f64) -> TableCell {
    value.map_or_else(TableCell::missing, |value| TableCell {
        text: three(value / divisor),
        raw: Some(value.to_string()),
        title: Some(format!("{} {}", exact(value), unit.name())),
        tone: Tone::Plain,
    })
}
