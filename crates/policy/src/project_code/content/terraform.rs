//! Terraform and OpenTofu: the backend, which is loaded to look at the state or at its workspaces.
//!
//! Source: Terraform, "Backend block": `kubernetes` runs the program that a kubeconfig names, `http` and others ask
//! the address that they are given.

use super::super::files::Findings;
use super::super::settings::{Setting, json};
use super::{FindResult, listed, those};

/// Backends of a service of its own, which use the person's credentials for it.
const SERVICES: &str = "local s3 gcs azurerm remote cloud";
/// What in their settings only says where in the service the state is.
const PLACES: &str = "bucket key region prefix encrypt dynamodb_table use_lockfile acl kms_key_id workspace_key_prefix resource_group_name \
    storage_account_name container_name organization hostname path workspace_dir name project tags profile role_arn assume_role hash type \
    impersonate_service_account use_azuread_auth use_oidc subscription_id tenant_id skip_region_validation \
    skip_credentials_validation skip_metadata_api_check skip_requesting_account_id max_retries workspaces";

/// `.terraform/terraform.tfstate`: what `init` wrote down. Go's encoding/json takes names in any case, and of a name that
/// stands there twice it takes both.
pub(in super::super) fn terraform_state(text: &str) -> FindResult {
    let mut settings = json(text)?;
    for key in settings.iter_mut().flat_map(|setting| &mut setting.keys) {
        *key = key.to_uppercase().to_lowercase();
    }
    let mut types = settings.iter().filter(|setting| setting.name() == "backend.type").map(Setting::value);
    let is_known = types.all(|backend| backend.is_empty() || listed(SERVICES, backend));
    those(settings, |setting| {
        if setting.key(0) != "backend" || setting.key(1) == "hash" {
            return false;
        }
        let names_elsewhere = setting.key(1) == "config"
            && !["", "null", "false"].contains(&setting.value())
            && (!listed(PLACES, setting.key(2)) || setting.key(2) == "hostname");
        !is_known || names_elsewhere
    })
}

/// `*.tf`: a block `backend "TYPE" {`. The words of HCL have no other spelling, but for comments between them.
pub(in super::super) fn terraform_backend(text: &str) -> FindResult {
    let mut findings = Findings::default();
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    // The block `cloud`, and the backend `remote`, of another host than HashiCorp's.
    let words: Vec<&str> = text.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).collect();
    let mut is_elsewhere = words.contains(&"cloud");
    for (at, word) in text.match_indices("backend") {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let rest = text.get(at + word.len()..).unwrap_or_default();
        // A name of something else, in quotes or as a part of a longer one.
        if before.is_some_and(|before| is_word(before) || before == '"') || rest.starts_with(is_word) {
            continue;
        }
        let Some(label) = label(rest) else { continue };
        let name = label.trim_matches('"');
        let is_label = label.starts_with('"') || label.chars().all(is_word);
        is_elsewhere |= name == "remote";
        if is_label && !label.is_empty() && !listed(SERVICES, name) {
            findings.names.push("backend".to_owned());
        }
    }
    if is_elsewhere && words.contains(&"hostname") {
        findings.names.push("hostname".to_owned());
    }
    Ok(findings)
}

/// What stands between the type of a block and its `{`, on one line but for comments, which may have several.
fn label(text: &str) -> Option<String> {
    let mut label = String::new();
    let mut rest = text;
    loop {
        if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/")?.1;
            label.push(' ');
            continue;
        }
        let letter = rest.chars().next()?;
        match letter {
            '{' => return Some(label.trim().to_owned()),
            '\n' | '=' | '#' => return None,
            '/' if rest.starts_with("//") => return None,
            letter => label.push(letter),
        }
        rest = rest.get(letter.len_utf8()..)?;
    }
}

/// The same in `*.tf.json`.
pub(in super::super) fn terraform_backend_in_json(text: &str) -> FindResult {
    those(json(text)?, |setting| {
        setting.keys.iter().position(|key| key == "backend").is_some_and(|at| !listed(SERVICES, setting.key(at + 1)))
    })
}
