//! Selectors: which cases `--only` keeps, and which an assertion is about.
//!
//! It must not parse them. Invariant: whatever a kept case stands on is kept too.

use super::axes::meaning;
use super::block::Block;
use super::cell::{Cell, NONE};
use super::expansion::Expansion;
use super::findings::Findings;
use super::rows::{ABSENT, ValueIndex};
use crate::diagnostic::Diagnostic;
use crate::suite::model::{Suite, Text};
use crate::value::Quantity;
use crate::workload::operation::OperationKind;

type Selectors = [(String, String)];

/// What one selector asks of the cells of one block.
enum Ask {
    Always,
    Never,
    /// One of these axes has one of the marked values.
    Axes(Vec<(usize, Vec<bool>)>),
    /// The operation can come.
    Operation(u16),
}

/// Selectors that must all hold, made ready for each block.
pub(super) struct Chooser {
    asks: Vec<Vec<Ask>>,
}

impl Chooser {
    /// For the cells of an expansion.
    pub(super) fn new(expansion: &Expansion, selectors: &Selectors) -> Self {
        let of_block =
            |block: &Block| selectors.iter().map(|(name, value)| ask(expansion, block, name, value)).collect();
        Chooser { asks: expansion.blocks.iter().map(of_block).collect() }
    }

    /// Whether a cell, whose axes have these values, is chosen.
    pub(super) fn chooses(&self, cell: &Cell, values: &[ValueIndex]) -> bool {
        let on_axis = |(axis, marked): &(usize, Vec<bool>)| {
            let value = values[*axis];
            value != ABSENT && marked[value as usize]
        };
        self.asks[cell.block as usize].iter().all(|ask| match ask {
            Ask::Always => true,
            Ask::Never => false,
            Ask::Axes(axes) => axes.iter().any(on_axis),
            Ask::Operation(bits) => cell.kinds & bits != 0,
        })
    }

    /// Whether it can choose no cell of a block.
    fn is_never(&self, block: u32) -> bool {
        self.asks[block as usize].iter().any(|ask| matches!(ask, Ask::Never))
    }

    /// The cells that are chosen.
    pub(super) fn chosen(&self, expansion: &Expansion) -> Vec<bool> {
        let mut values = Vec::new();
        let chosen = |cell: &Cell| {
            if self.is_never(cell.block) {
                return false;
            }
            expansion.values(cell, &mut values);
            self.chooses(cell, &values)
        };
        expansion.cells.iter().map(chosen).collect()
    }
}

fn ask(expansion: &Expansion, block: &Block, name: &str, wanted: &str) -> Ask {
    let when = |is: bool| if is { Ask::Always } else { Ask::Never };
    match name {
        "target" => when(expansion.targets[block.target].target.name == wanted),
        "scenario" => when(expansion.suite.scenarios[block.scenario].name.text == wanted),
        "operation" => {
            let is = |kind: &&OperationKind| kind.name() == wanted || kind.short() == wanted;
            let bits = OperationKind::ALL.iter().filter(is).fold(0, |bits, kind| bits | 1 << kind.index());
            Ask::Operation(bits)
        }
        _ => {
            let axes = axes(block, &expansion.suite, name);
            let marked = |axis: usize| {
                let values = &block.scope.axes[axis].values;
                (axis, values.iter().map(|value| Quantity::same(&value.label, wanted)).collect::<Vec<bool>>())
            };
            let axes: Vec<_> = axes.into_iter().map(marked).filter(|(_, marked)| marked.contains(&true)).collect();
            if axes.is_empty() { Ask::Never } else { Ask::Axes(axes) }
        }
    }
}

/// The axes of a block that a selector's name means.
fn axes(block: &Block, suite: &Suite, name: &str) -> Vec<usize> {
    let text = Text { text: name.to_owned(), span: suite.scenarios[block.scenario].span };
    let key = meaning(&text, block.kind, &suite.vars).map(|meaning| meaning.key(name));
    let is = |axis: &super::scope::Axis| {
        axis.label.eq_ignore_ascii_case(name) || key.as_deref() == Some(&axis.meaning.key(&axis.name.text))
    };
    let axes = || block.scope.axes.iter().enumerate().filter(|(_, axis)| is(axis));
    // A block's own axis is meant before one of the same name that its data have.
    let own: Vec<usize> = axes().filter(|(_, axis)| !axis.inherited).map(|(index, _)| index).collect();
    if own.is_empty() { axes().map(|(index, _)| index).collect() } else { own }
}

/// Keeps the cases that `--only` names, and what they stand on.
pub(super) fn keep_only(expansion: &mut Expansion, findings: &mut Findings) {
    if expansion.suite.only.is_empty() {
        return;
    }
    let mut kept = vec![false; expansion.cells.len()];
    for selectors in &expansion.suite.only {
        let chosen = Chooser::new(expansion, selectors).chosen(expansion);
        if !chosen.contains(&true) {
            findings.push(nothing(expansion, selectors));
        }
        kept.iter_mut().zip(chosen).for_each(|(kept, chosen)| *kept |= chosen);
    }
    for index in 0..kept.len() {
        let mut below = index;
        while kept[below] && expansion.cells[below].on != NONE {
            below = expansion.cells[below].on as usize;
            kept[below] = true;
        }
    }
    let mut position = vec![NONE; kept.len()];
    for (next, index) in (0_u32..).zip((0..kept.len()).filter(|index| kept[*index])) {
        position[index] = next;
    }
    let cells = std::mem::take(&mut expansion.cells);
    let at = |index: u32| position.get(index as usize).copied().unwrap_or(NONE);
    let moved = |(cell, kept): (Cell, &bool)| kept.then_some(Cell { head: at(cell.head), on: at(cell.on), ..cell });
    expansion.cells = cells.into_iter().zip(&kept).filter_map(moved).collect();
}

/// Nothing is chosen by selectors: says which of them is to blame, and what there is.
fn nothing(expansion: &Expansion, selectors: &Selectors) -> Diagnostic {
    let shown = |selectors: &Selectors| {
        let parts: Vec<String> = selectors.iter().map(|(name, value)| format!("{name}={value}")).collect();
        parts.join(",")
    };
    let mut error = Diagnostic::error("override", format!("`--only {}`: no case has all of these", shown(selectors)));
    for selector in selectors {
        if Chooser::new(expansion, std::slice::from_ref(selector)).chosen(expansion).contains(&true) {
            continue;
        }
        error.message = format!("`--only {}`: no case has {}={}", shown(selectors), selector.0, selector.1);
        let mut values: Vec<&str> = Vec::new();
        for block in &expansion.blocks {
            for axis in axes(block, &expansion.suite, &selector.0) {
                for value in &block.scope.axes[axis].values {
                    if !values.contains(&value.label.as_str()) && values.len() < 20 {
                        values.push(&value.label);
                    }
                }
            }
        }
        if !values.is_empty() {
            error = error.help(format!("{} has the values: {}", selector.0, values.join(", ")));
        }
    }
    let names = |names: Vec<&str>| names.join(", ");
    let targets = expansion.suite.targets.iter().map(|target| target.name.text.as_str()).collect();
    let scenarios = expansion.suite.scenarios.iter().map(|scenario| scenario.name.text.as_str()).collect();
    error.help(format!("targets: {}; scenarios: {}", names(targets), names(scenarios)))
}
