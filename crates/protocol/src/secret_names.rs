//! The names of secrets (`crates/redaction/src/key_names.rs`) as files of the packages in other languages.

use handraise_redaction::secret_name_tables;

/// The tables as a TypeScript module.
#[must_use]
pub fn secret_names_typescript() -> String {
    format!("// {HEADER}\nexport const SECRET_NAMES = {} as const;\n", tables())
}

/// The tables as a Python module.
#[must_use]
pub fn secret_names_python() -> String {
    // JSON of lists, objects and text is Python, too.
    format!(
        "# {HEADER}\n\"\"\"Names of secrets.\"\"\"\n\nfrom typing import Any\n\nSECRET_NAMES: dict[str, Any] = {}\n",
        tables()
    )
}

const HEADER: &str = "Generated from crates/redaction/src/key_names.rs by `make generate`. Do not edit.";

fn tables() -> String {
    format!("{:#}", secret_name_tables())
}
