//! The order of trials: which case is run when, in which round.
//!
//! It must not know what a case does. Invariant: each round of each case comes exactly once; what stands on data comes after
//! the case that loaded them, and before those data are made new.

use super::block::Block;
use super::cell::{Cell, NONE};
use super::expansion::Expansion;
use crate::suite::model::Order;

/// A loading case and the cases that stand on its data, by position, in the order that they are run in.
#[derive(Clone, Debug)]
struct Group {
    head: u32,
    /// Which of the members are its own.
    members: std::ops::Range<usize>,
    /// A member writes: the whole group is run in each round.
    whole: bool,
}

/// All groups, in the order of their loading cases, and all members, group by group.
struct Groups {
    groups: Vec<Group>,
    members: Vec<u32>,
}

/// Scenario, ordinal and target of a cell.
type Place = (usize, u64, usize);

fn place(blocks: &[Block], cell: &Cell) -> Place {
    let block = &blocks[cell.block as usize];
    (block.scenario, cell.ordinal, block.target)
}

/// Says of each cell which one it stands on: the last before it that wrote to its data. Its hash is over that one's too.
pub(super) fn stand(blocks: &[Block], cells: &mut [Cell]) {
    let Groups { groups, members } = groups(blocks, cells);
    for group in groups {
        let mut below = group.head;
        for member in &members[group.members] {
            let hash = cells[below as usize].hash;
            let cell = &mut cells[*member as usize];
            (cell.on, cell.hash) = (below, cell.hash.on(hash));
            if cell.can_write {
                below = *member;
            }
        }
    }
}

/// All trials in order, as positions of cases and rounds from 1.
pub(super) fn trials(expansion: &Expansion) -> Vec<(u32, u32)> {
    let (blocks, cells, rounds) = (&expansion.blocks, &expansion.cells, expansion.suite.rounds);
    let Groups { mut groups, members } = groups(blocks, cells);
    let place = |index: u32| place(blocks, &cells[index as usize]);
    let mut stages = Stages { members, rounds, place: &place, trials: Vec::new() };
    stages.trials.reserve(cells.len() * rounds as usize);
    match expansion.suite.order {
        Order::Sequential => groups.chunks(1).for_each(|group| stages.add(group)),
        Order::Interleaved => {
            groups.sort_by_key(|group| place(group.head));
            let cell = |group: &Group| {
                let (scenario, ordinal, _) = place(group.head);
                (scenario, ordinal)
            };
            groups.chunk_by(|a, b| cell(a) == cell(b)).for_each(|groups| stages.add(groups));
        }
    }
    stages.trials
}

fn groups(blocks: &[Block], cells: &[Cell]) -> Groups {
    let mut members: Vec<u32> = (0..cells.len() as u32).filter(|index| cells[*index as usize].head != NONE).collect();
    members.sort_by_key(|member| {
        let cell = &cells[*member as usize];
        let place = place(blocks, cell);
        let (scenario, ..) = self::place(blocks, &cells[cell.head as usize]);
        // Later tests of a routine come before other scenarios that stand on its data.
        (cell.head, place.0 != scenario, place)
    });
    let mut groups = Vec::with_capacity(cells.len() - members.len());
    let mut next = 0;
    for (head, _) in (0..).zip(cells).filter(|(_, cell)| cell.head == NONE) {
        let of_head = |member: &&u32| cells[**member as usize].head == head;
        let own = members[next..].iter().take_while(of_head).count();
        let whole = members[next..next + own].iter().any(|member| cells[*member as usize].can_write);
        groups.push(Group { head, members: next..next + own, whole });
        next += own;
    }
    Groups { groups, members }
}

/// Trials being put in order.
struct Stages<'a> {
    members: Vec<u32>,
    rounds: u32,
    place: &'a dyn Fn(u32) -> Place,
    trials: Vec<(u32, u32)>,
}

impl Stages<'_> {
    /// Adds the trials of groups that are run interleaved.
    fn add(&mut self, groups: &[Group]) {
        if groups.iter().any(|group| group.whole) {
            for round in 1..=self.rounds {
                for group in groups {
                    self.trials.push((group.head, round));
                    self.trials.extend(self.members[group.members.clone()].iter().map(|member| (*member, round)));
                }
            }
            return;
        }
        for round in 1..=self.rounds {
            self.trials.extend(groups.iter().map(|group| (group.head, round)));
        }
        let members = groups.iter().flat_map(|group| self.members[group.members.clone()].iter().copied());
        let mut members: Vec<u32> = members.collect();
        members.sort_by_key(|member| (self.place)(*member));
        for round in 1..=self.rounds {
            self.trials.extend(members.iter().map(|member| (*member, round)));
        }
    }
}
