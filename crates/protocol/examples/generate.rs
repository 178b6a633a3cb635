//! Writes the files that are generated from the wire types and from the names of secrets. Run by `make generate`.

#![expect(clippy::disallowed_methods, reason = "what it makes are files")]

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let openapi = serde_json::to_string_pretty(&handraise_protocol::openapi())? + "\n";
    std::fs::write(crate_folder.join("openapi.json"), openapi)?;
    let sdk = crate_folder.join("../../sdk");
    let typescript = sdk.join("typescript/src/generated");
    std::fs::create_dir_all(&typescript)?;
    std::fs::write(typescript.join("protocol.ts"), handraise_protocol::typescript())?;
    std::fs::write(typescript.join("secret-names.ts"), handraise_protocol::secret_names_typescript())?;
    std::fs::write(sdk.join("python/src/handraise/_secret_names.py"), handraise_protocol::secret_names_python())?;
    Ok(())
}
