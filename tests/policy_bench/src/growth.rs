//! One shell command against more and more rules.

use anyhow::{Result, ensure};

use crate::casbin::Casbin;
use crate::cedar::Cedar;
use crate::handraise::Handraise;
use crate::measure::microseconds;
use crate::request::shell_request;
use crate::rules::{COVERED, Call, SAMPLE, UNKNOWN, rules, rules_of_one_program};

const COUNTS: [usize; 4] = [10, 100, 1_000, 10_000];
/// What a thousand times as many rules may cost Handraise.
const MAX_GROWTH: f64 = 5.0;

/// Median microseconds for each of [`COUNTS`].
type Row = [f64; COUNTS.len()];

/// Prints the table; whether the bound is kept.
pub fn measure() -> Result<bool> {
    for count in COUNTS {
        same_answers(count)?;
    }
    println!("Every engine gives the same {} answers with every number of rules.", SAMPLE.len());

    let mut kept = true;
    for (title, call) in [("rules cover it", &COVERED), ("no rule is about it", &UNKNOWN)] {
        println!("\n`{}` ({title}), µs per decision", call.line);
        kept &= table(call)?;
    }
    one_program()?;
    Ok(kept)
}

fn same_answers(count: usize) -> Result<()> {
    let rules = rules(count);
    let (handraise, cedar, casbin) = (Handraise::new(&rules)?, Cedar::new(&rules)?, Casbin::new(&rules)?);
    for (call, passes) in SAMPLE {
        let answers = [handraise.passes(call.line), cedar.passes(call)?, casbin.passes(call)?];
        ensure!(answers == [*passes; 3], "{} rules, `{}`: {answers:?}", count, call.line);
    }
    Ok(())
}

fn table(call: &Call) -> Result<bool> {
    let request = shell_request(call.line);
    let mut rows = [Row::default(); 4];
    for (column, count) in COUNTS.into_iter().enumerate() {
        let rules = rules(count);
        let (handraise, cedar, casbin) = (Handraise::new(&rules)?, Cedar::new(&rules)?, Casbin::new(&rules)?);
        rows[0][column] = microseconds(|| handraise.passes(call.line));
        rows[1][column] = microseconds(|| handraise.passes_analysed(&request));
        rows[2][column] = microseconds(|| cedar.passes(call));
        rows[3][column] = microseconds(|| casbin.passes(call));
    }
    header();
    let [whole, decide, ..] = rows;
    let names = ["Handraise, whole", "Handraise, decide", "Cedar", "Casbin"];
    for (name, row) in names.into_iter().zip(rows) {
        print_row(name, row, whole);
    }
    let kept = growth(whole) < MAX_GROWTH && growth(decide) < MAX_GROWTH;
    println!("growth below {MAX_GROWTH}×: {}", if kept { "PASS" } else { "FAIL" });
    Ok(kept)
}

/// No bound: somebody who writes a thousand rules about one program pays for them.
fn one_program() -> Result<()> {
    println!("\n`{}` (every rule is about `git`), µs per decision", COVERED.line);
    let mut rows = [Row::default(); 2];
    for (column, count) in COUNTS.into_iter().enumerate() {
        let rules = rules_of_one_program(count);
        let (handraise, cedar) = (Handraise::new(&rules)?, Cedar::new(&rules)?);
        rows[0][column] = microseconds(|| handraise.passes(COVERED.line));
        rows[1][column] = microseconds(|| cedar.passes(&COVERED));
    }
    header();
    let [whole, _] = rows;
    for (name, row) in ["Handraise, whole", "Cedar"].into_iter().zip(rows) {
        print_row(name, row, whole);
    }
    Ok(())
}

fn growth(row: Row) -> f64 {
    row[COUNTS.len() - 1] / row[0]
}

fn header() {
    println!(
        "{:<18}{:>11}{:>11}{:>11}{:>11}{:>11}{:>22}",
        "rules", "10", "100", "1000", "10000", "growth", "× Handraise at 10000"
    );
}

fn print_row(name: &str, row: Row, whole: Row) {
    print!("{name:<18}");
    for time in row {
        print!("{time:>11.2}");
    }
    println!("{:>10.1}×{:>21.1}×", growth(row), row[COUNTS.len() - 1] / whole[COUNTS.len() - 1]);
}
