//! What deciding one shell command costs as rules are added, beside Cedar and Casbin on the same rules,
//! and what hostile text of 64 KiB costs. Exits with an error when a stated bound is broken.

mod casbin;
mod cedar;
mod growth;
mod handraise;
mod hostile;
mod measure;
mod real_calls;
#[path = "../../fuzz/src/request.rs"]
mod request;
mod rules;

use std::process::ExitCode;

use anyhow::Result;

fn main() -> Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (Some("answers"), _) => {
            real_calls::print_answers()?;
            return Ok(ExitCode::SUCCESS);
        }
        (Some("hostile"), named) => {
            hostile::measure(&named.unwrap_or_default())?;
            return Ok(ExitCode::SUCCESS);
        }
        _ => {}
    }
    let real_calls = real_calls::measure()?;
    let growth = growth::measure()?;
    let hostile = hostile::measure("")?;
    if real_calls && growth && hostile {
        println!("\nPASS: every bound is kept");
        return Ok(ExitCode::SUCCESS);
    }
    println!("\nFAIL: see above");
    Ok(ExitCode::FAILURE)
}
