//! Further tables: best of each at its own setting, tuning in percent, leads over rivals, and one target in percent of the others.
//!
//! It must not be mixed with the comparison at equal settings. Invariant: each table's title says what it is.

use super::block::Block;
use super::comparison::{group_title, row_tags};
use super::table::{Head, Table, TableCell, Tags, Tone};
use crate::report::model::compare::{Group, Kind};
use crate::report::model::report::ReportModel;
use crate::report::model::settings::{Tuning, TuningValue, subjects, unique};
use crate::report::number::times;

/// All of them that the suite gives rise to.
pub(crate) fn further(model: &ReportModel) -> Vec<Block> {
    let mut blocks = Vec::new();
    blocks.extend(best_of_each(model).map(Block::Table));
    for group in model.comparison.iter().filter(|group| group.kind != Kind::Whole) {
        blocks.extend(leads(model, group).map(Block::Table));
        let percent = numerator(model, group);
        blocks.extend(percent.map(|table| Block::Fold(table.title.clone(), vec![Block::Table(table)])));
    }
    blocks
}

/// Each target over its settings: the value, and percent of the first setting's.
pub(crate) fn tuning(model: &ReportModel) -> Vec<Block> {
    model.tuning.iter().enumerate().map(|(index, tuning)| Block::Table(tuning_table(index, tuning))).collect()
}

fn tuning_table(index: usize, tuning: &Tuning) -> Table {
    let label = |axes: &[(String, String)]| {
        axes.iter().map(|(axis, value)| format!("{axis}={value}")).collect::<Vec<_>>().join(", ")
    };
    let id = format!("tuning-{}", index + 1);
    let title = format!("{}, {} {}: percent of the first setting", tuning.target, tuning.scenario, tuning.operation);
    let tags =
        tuning.settings.iter().map(|_| Tags::new(&tuning.scenario, Some(&tuning.operation), Some(&tuning.target)));
    let mut table =
        Table::new(&id, &title, tags.collect()).texts("Setting", tuning.settings.iter().map(|one| label(one)));
    for (at, place) in tuning.places.iter().enumerate() {
        let column = |of: fn(&TuningValue) -> Option<f64>| -> Vec<Option<f64>> {
            tuning.cells.iter().map(|row| row[at].as_ref().and_then(of)).collect()
        };
        let name = if place.is_empty() { tuning.measure.clone() } else { label(place) };
        table = table.numbers(&name, tuning.unit, column(|cell| Some(cell.value)));
        let cells = column(|cell| cell.percent).into_iter().map(|percent| {
            percent.map_or_else(TableCell::missing, |percent| TableCell {
                raw: Some(percent.to_string()),
                ..TableCell::text(format!("{percent:.1}"))
            })
        });
        let percent = Some("%".to_owned());
        let head = Head {
            text: "of the first".to_owned(),
            unit: percent.clone(),
            raw_unit: percent,
            numeric: true,
            column: None,
        };
        table = table.cells(head, cells.collect::<Vec<_>>());
    }
    table
}

fn best_of_each(model: &ReportModel) -> Option<Table> {
    let rows = &model.best;
    if rows.is_empty() {
        return None;
    }
    let targets = unique(rows.iter().flat_map(|row| row.entries.keys().map(String::as_str)));
    let places: Vec<(&str, &[(String, String)])> =
        rows.iter().map(|row| (row.scenario.as_str(), row.axes.as_slice())).collect();
    let tags = rows.iter().map(|row| Tags::new(&row.scenario, Some(&row.operation), None)).collect();
    let mut table = Table::new("best-of-each", "Best of each at its own setting", tags)
        .places(&places)
        .texts("Operation", rows.iter().map(|row| row.operation.clone()));
    for target in targets {
        let cells = rows.iter().map(|row| {
            let Some(entry) = row.entries.get(target) else { return TableCell::missing() };
            let at: Vec<String> = entry.at.iter().map(|(axis, value)| format!("{axis}={value}")).collect();
            let ratio = entry.ratio.map(|ratio| format!(" · {}", times(ratio))).unwrap_or_default();
            let at = if at.is_empty() { String::new() } else { format!(" @ {}", at.join(", ")) };
            TableCell {
                raw: Some(entry.value.to_string()),
                ..TableCell::text(format!("{}{at}{ratio}", row.unit.show(entry.value)))
            }
            .titled(format!("best of {} settings", entry.of))
        });
        let head = Head {
            text: target.to_owned(),
            unit: None,
            raw_unit: None,
            numeric: true,
            column: Some(target.to_owned()),
        };
        table = table.cells(head, cells.collect::<Vec<_>>());
    }
    let note = "Each target at the setting that gave its best number, chosen after the fact; ratios to the baseline's best. \
                Not to be mixed with the comparison at equal settings.";
    Some(table.noted(note))
}

/// How far each target leads its rivals: the least and the greatest ratio over all rivals and cells.
fn leads(model: &ReportModel, group: &Group) -> Option<Table> {
    if model.columns.iter().filter(|column| !column.ceiling).count() < 3 {
        return None;
    }
    let subjects = subjects(group);
    let tags = subjects.iter().map(|(scenario, operation)| Tags::new(scenario, Some(operation), None)).collect();
    let id = format!("{}-leads", group_title(group.kind).to_lowercase());
    let title = format!("{}: how many times better than its rivals", group_title(group.kind));
    let mut table = Table::new(&id, &title, tags)
        .texts("Scenario", subjects.iter().map(|(scenario, _)| *scenario))
        .texts("Operation", subjects.iter().map(|(_, operation)| *operation));
    for (index, column) in model.columns.iter().enumerate().filter(|(_, column)| !column.ceiling) {
        let cells = subjects.iter().map(|subject| lead(group, *subject, index).unwrap_or_else(TableCell::missing));
        table = table.cells(target_head(&column.name), cells.collect::<Vec<_>>());
    }
    Some(table.noted(
        "The least and the greatest ratio over all rivals and cells; above 1 it is better. Bold: faster than each rival in each cell.",
    ))
}

fn lead(group: &Group, (scenario, operation): (&str, &str), column: usize) -> Option<TableCell> {
    let rows = group.rows.iter().filter(|row| row.scenario == scenario && row.operation.as_deref() == Some(operation));
    let values = rows.filter_map(|row| row.cells[column].as_ref()?.values.get(&group.default_measure));
    let ratios: Vec<_> = values.flat_map(|value| &value.ratios).collect();
    let better = |ratio: f64| if group.kind == Kind::Writing { ratio } else { 1.0 / ratio };
    let low = ratios.iter().map(|ratio| better(ratio.ratio)).min_by(f64::total_cmp)?;
    let high = ratios.iter().map(|ratio| better(ratio.ratio)).max_by(f64::total_cmp)?;
    let text = if ratios.len() == 1 { times(low) } else { format!("{} to {}", times(low), times(high)) };
    let leads = ratios.iter().all(|ratio| ratio.verdict.as_deref() == Some("faster"));
    Some(TableCell::text(text).toned(if leads { Tone::Best } else { Tone::Plain }))
}

/// The head of a target's column without a unit.
fn target_head(name: &str) -> Head {
    Head { text: name.to_owned(), numeric: true, column: Some(name.to_owned()), ..Head::default() }
}

/// The baseline in percent of each other target, as vendors publish it: above 100 % the baseline is better. Rates are divided by the
/// other's, times the other way round.
fn numerator(model: &ReportModel, group: &Group) -> Option<Table> {
    let baseline = model.compared_with()?;
    let places: Vec<(&str, &[(String, String)])> =
        group.rows.iter().map(|row| (row.scenario.as_str(), row.axes.as_slice())).collect();
    let measure = group.measures.iter().find(|measure| measure.key == group.default_measure)?;
    let id = format!("{}-percent", group_title(group.kind).to_lowercase());
    let title = format!(
        "{}: {baseline} against each other target, {}, percent",
        group_title(group.kind),
        measure.label.to_lowercase()
    );
    let mut table = Table::new(&id, &title, group.rows.iter().map(row_tags).collect())
        .places(&places)
        .texts("Operation", group.rows.iter().map(|row| row.operation.clone().unwrap_or_default()));
    let others = model.columns.iter().enumerate().filter(|(_, column)| column.name != baseline && !column.ceiling);
    for (index, column) in others {
        let cells = group.rows.iter().map(|row| {
            let value = row.cells[index].as_ref().and_then(|cell| cell.values.get(&measure.key));
            let ratio = value.and_then(|value| value.ratios.iter().find(|ratio| ratio.baseline == baseline));
            ratio.map_or_else(TableCell::missing, |ratio| {
                let percent = if group.kind == Kind::Writing { 100.0 / ratio.ratio } else { 100.0 * ratio.ratio };
                TableCell { raw: Some(percent.to_string()), ..TableCell::text(format!("{percent:.2}")) }
            })
        });
        let head = Head {
            text: if group.kind == Kind::Writing {
                format!("{baseline}/{}", column.name)
            } else {
                format!("{}/{baseline}", column.name)
            },
            unit: Some("%".to_owned()),
            raw_unit: Some("%".to_owned()),
            numeric: true,
            column: Some(column.name.clone()),
        };
        table = table.cells(head, cells.collect::<Vec<_>>());
    }
    Some(table.noted(format!("Above 100 % {baseline} is better.")))
}
