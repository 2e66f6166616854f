//! report.html: one file with everything inlined, whole without a script and without a network.
//!
//! It must not compute: every text of the page is made in the view. Invariant: nothing in the page refers outside it.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use include_dir::{Dir, include_dir};
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};
use serde::Serialize;

use super::csv;
use super::model::compare::{Cell, Group};
use super::model::report::ReportModel;
use super::model::reproduce::Column;
use super::model::settings::unique;
use super::svg::canvas::{Canvas, style_class};
use super::view::block::{Block, Section};
use super::view::comparison::{self, Shown};
use super::view::overview::{Overview, overview};
use super::view::sections::sections;
use super::view::table::{Head, Tags};

static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// A measure that can be chosen.
#[derive(Clone, Debug, Serialize)]
struct Choice {
    key: String,
    label: String,
    head: String,
}

/// A row of a switchable table, at its first measure.
#[derive(Clone, Debug, Serialize)]
struct SwitchRow {
    tags: Tags,
    /// Scenario and operation.
    subject: String,
    /// Axis values.
    place: String,
    cells: Vec<Option<Shown>>,
    note: Option<String>,
}

/// A comparison table whose measure can be switched.
#[derive(Clone, Debug, Serialize)]
struct Switch {
    id: String,
    title: String,
    choices: Vec<Choice>,
    chosen: String,
    head: String,
    heads: Vec<Head>,
    columns: Vec<String>,
    rows: Vec<SwitchRow>,
    hoisted: Vec<String>,
}

/// A switchable table's cells at one measure, row by row.
type SwitchRows = Vec<Vec<Option<Switchable>>>;

/// What the page's script needs: for each switchable table, measure, row and column the cell, and its ratios by baseline.
#[derive(Clone, Debug, Serialize)]
struct Data {
    baseline: Option<String>,
    columns: Vec<String>,
    tables: BTreeMap<String, BTreeMap<String, SwitchRows>>,
}

/// A cell at one measure. Short names: there are many.
#[derive(Clone, Debug, Serialize)]
struct Switchable {
    /// The number.
    v: String,
    /// Its interval.
    i: String,
    /// Whether it leads.
    b: bool,
    /// Its marks.
    m: String,
    /// What it says.
    s: String,
    /// Its status.
    c: String,
    /// Its title.
    t: String,
    /// By the baseline's number: ratio, verdict, and the title's last line.
    r: Vec<(String, String, String)>,
}

#[derive(Clone, Debug, Serialize)]
struct Page<'a> {
    title: &'a str,
    question: Option<&'a str>,
    overview: Overview,
    columns: Vec<(String, String)>,
    marks: BTreeMap<String, String>,
    baseline: Option<&'a str>,
    /// The columns that can be one.
    baselines: Vec<&'a str>,
    scenarios: Vec<String>,
    operations: Vec<String>,
    switches: Vec<Switch>,
    sections: Vec<Section>,
    data: Data,
    /// Each table's CSV as a link, by the table's id.
    csv: BTreeMap<String, String>,
    css: &'static str,
    js: &'static str,
    velodrome: Vec<String>,
}

/// The page.
///
/// # Errors
/// When a template is wrong; its words name the line.
pub(super) fn html(model: &ReportModel) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    for file in TEMPLATES.files().filter(|file| file.path().extension().is_some_and(|end| end == "j2")) {
        if let (Some(name), Some(text)) = (file.path().to_str(), file.contents_utf8()) {
            environment.add_template(name, text)?;
        }
    }
    environment.get_template("report.html.j2")?.render(Value::from(Serde(page(model))))
}

fn page(model: &ReportModel) -> Page<'_> {
    let sections = sections(model, false);
    let overview = overview(model);
    let groups = comparison::tables(model);
    let switches: Vec<Switch> = groups.iter().filter_map(|group| switch(model, group)).collect();
    let asset = |name: &str| TEMPLATES.get_file(name).and_then(|file| file.contents_utf8()).unwrap_or_default();
    let mut csv = BTreeMap::from([(overview.targets.id.clone(), link(&csv::table_csv(&overview.targets)))]);
    sections.iter().for_each(|section| links(&section.blocks, &mut csv));
    for (switch, group) in switches.iter().zip(&groups) {
        csv.insert(switch.id.clone(), link(&csv::comparison(model, std::slice::from_ref(group))));
    }
    let styles = model.columns.iter().enumerate();
    let rows = || model.comparison.iter().flat_map(|group| &group.rows);
    Page {
        title: &model.title,
        question: model.question.as_deref(),
        columns: styles.clone().map(|(index, column)| (column.name.clone(), style_class(index))).collect(),
        marks: styles.map(|(index, column)| (column.name.clone(), mark(index))).collect(),
        baseline: model.compared_with(),
        baselines: model.columns.iter().filter(|one| !one.ceiling).map(|one| one.name.as_str()).collect(),
        scenarios: unique(rows().map(|row| row.scenario.clone())),
        operations: unique(rows().filter_map(|row| row.operation.clone())),
        data: data(model, &groups),
        velodrome: unique(model.runs.iter().map(|run| run.velodrome.clone())),
        css: asset("report.css"),
        js: asset("report.js"),
        overview,
        switches,
        sections,
        csv,
    }
}

/// The links of all tables in these blocks, those of charts included.
fn links(blocks: &[Block], csv: &mut BTreeMap<String, String>) {
    for block in blocks {
        match block {
            Block::Table(table) => {
                csv.insert(table.id.clone(), link(&csv::table_csv(table)));
            }
            Block::Charts(charts) => {
                csv.extend(charts.iter().map(|chart| (chart.id.clone(), link(&csv::table_csv(&chart.data)))));
            }
            Block::Fold(_, inside) => links(inside, csv),
            _ => {}
        }
    }
}

fn link(text: &str) -> String {
    format!("data:text/csv;charset=utf-8;base64,{}", BASE64.encode(text))
}

/// A target's shape, to stand beside its name.
fn mark(style: usize) -> String {
    let mut canvas = Canvas::new(12.0, 12.0);
    canvas.open(&style_class(style), None);
    canvas.marker(style, (6.0, 6.0), 4.0, "");
    canvas.close();
    canvas.finish_as("key", "")
}

fn axes_label(axes: &[(String, String)]) -> String {
    axes.iter().map(|(axis, value)| format!("{axis} {value}")).collect::<Vec<_>>().join(", ")
}

fn switch(model: &ReportModel, group: &Group) -> Option<Switch> {
    let measure = group.measures.iter().find(|measure| measure.key == group.default_measure)?;
    let scale = comparison::scale(group, measure);
    let hoisted = comparison::hoisted(group);
    let rows = group.rows.iter().map(|row| SwitchRow {
        tags: comparison::row_tags(row),
        subject: row
            .operation
            .iter()
            .fold(row.scenario.clone(), |scenario, operation| format!("{scenario} · {operation}")),
        place: axes_label(&row.axes),
        cells: model
            .columns
            .iter()
            .zip(&row.cells)
            .map(|(column, cell)| {
                let baseline = model.compared_with();
                cell.as_ref().map(|cell| comparison::show(cell, measure, scale, baseline, &column.name, &hoisted))
            })
            .collect(),
        note: row.not_comparable.clone(),
    });
    let head = |column: &Column| Head {
        text: column.name.clone(),
        unit: Some(scale.name.to_owned()),
        numeric: true,
        column: Some(column.name.clone()),
        ..Head::default()
    };
    let choice = |measure: &crate::report::model::measure::Measure| Choice {
        key: measure.key.clone(),
        label: measure.label.clone(),
        head: comparison::head(measure, comparison::scale(group, measure)),
    };
    Some(Switch {
        id: comparison::id_of(group),
        title: comparison::title_of(group),
        choices: group.measures.iter().map(choice).collect(),
        chosen: group.default_measure.clone(),
        head: comparison::head(measure, scale),
        rows: rows.collect(),
        heads: std::iter::once(Head { text: "Case".to_owned(), ..Head::default() })
            .chain(model.columns.iter().map(head))
            .collect(),
        columns: model.columns.iter().map(|column| column.name.clone()).collect(),
        hoisted,
    })
}

/// Every cell at every measure, with its ratio to every baseline: the script only puts texts in their places.
fn data(model: &ReportModel, groups: &[Group]) -> Data {
    let mut tables = BTreeMap::new();
    for group in groups {
        let hoisted = comparison::hoisted(group);
        let mut by_measure = BTreeMap::new();
        for measure in &group.measures {
            let scale = comparison::scale(group, measure);
            let cell = |(column, cell): (&Column, &Option<Cell>)| {
                let cell = cell.as_ref()?;
                let show =
                    |baseline: Option<&str>| comparison::show(cell, measure, scale, baseline, &column.name, &hoisted);
                let shown = show(None);
                let to = |baseline: &Column| {
                    let shown = show(Some(baseline.name.as_str()));
                    (shown.ratio, shown.verdict, shown.to)
                };
                Some(Switchable {
                    v: shown.value,
                    i: shown.interval,
                    b: shown.best,
                    m: shown.marks.join(", "),
                    s: shown.says,
                    c: shown.status,
                    t: shown.title,
                    r: model.columns.iter().map(to).collect(),
                })
            };
            let rows = group.rows.iter().map(|row| model.columns.iter().zip(&row.cells).map(cell).collect()).collect();
            by_measure.insert(measure.key.clone(), rows);
        }
        tables.insert(comparison::id_of(group), by_measure);
    }
    let columns = model.columns.iter().map(|column| column.name.clone()).collect();
    Data { baseline: model.compared_with().map(str::to_owned), columns, tables }
}
