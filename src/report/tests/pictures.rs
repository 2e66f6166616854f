//! Charts: what is in the pictures.
//!
//! They must not look at pixels. Invariant: nothing is told by colour alone.

use super::cases::whole;
use crate::report::svg::canvas::Canvas;
use crate::report::view::block::{Block, Chart};
use crate::report::view::sections::sections;

fn charts() -> Vec<Chart> {
    fn walk(blocks: Vec<Block>, charts: &mut Vec<Chart>) {
        for block in blocks {
            match block {
                Block::Charts(mut own) => charts.append(&mut own),
                Block::Fold(_, inside) => walk(inside, charts),
                _ => {}
            }
        }
    }
    let mut charts = Vec::new();
    sections(whole(), true).into_iter().for_each(|section| walk(section.blocks, &mut charts));
    charts
}

#[test]
fn every_chart_has_its_data_and_says_what_it_shows() {
    let charts = charts();
    assert!(charts.len() > 40);
    for chart in charts {
        assert!(!chart.data.rows.is_empty(), "{}", chart.title);
        assert!(chart.svg.contains("role=\"img\" aria-label=\""), "{}", chart.title);
        assert!(!chart.svg.contains("NaN") && !chart.svg.contains("\"inf\""), "{}", chart.title);
        assert!(!chart.svg.contains("#"), "colours are the style's: {}", chart.title);
    }
}

#[test]
fn a_heat_map_says_its_numbers_and_why_there_is_none() {
    let map = charts().into_iter().find(|chart| chart.title == "INGESTION: sqlite ÷ postgres").unwrap();
    assert!(map.svg.contains("× =") && map.svg.contains(">failed<"), "{}", map.svg);
    let influx = charts().into_iter().find(|chart| chart.title == "INGESTION: influxdb-1 ÷ postgres").unwrap();
    assert!(influx.svg.contains(" ▲<") && influx.svg.contains(" ▼<") && influx.svg.contains(">lost 0.2 %<"));
}

#[test]
fn lines_of_targets_differ_in_shape() {
    let shape = |style: usize| {
        let mut canvas = Canvas::new(10.0, 10.0);
        canvas.marker(style, (5.0, 5.0), 3.0, "");
        canvas.finish("")
    };
    let mut shapes: Vec<String> = (0..8).map(shape).collect();
    shapes.sort();
    shapes.dedup();
    assert_eq!(shapes.len(), 8);
}

#[test]
fn the_timeline_shades_the_warm_up_and_marks_errors_and_ends() {
    let time = charts().into_iter().find(|chart| chart.id.starts_with("time-")).unwrap();
    for class in ["shaded", "class=\"end\"", "settling", "class=\"cross\""] {
        assert!(time.svg.contains(class), "{class}");
    }
    for panel in
        ["Points, ", "Mean latency, ", "Server CPU, cores", "Server memory", "disk written", "network", "Client CPU"]
    {
        assert!(time.svg.contains(panel), "{panel}");
    }
}
