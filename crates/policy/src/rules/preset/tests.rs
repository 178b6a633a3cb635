use super::*;

#[test]
fn the_rules_of_a_preset_are_read_and_their_examples_hold() {
    let loaded = crate::rules::parse(WORKSPACE_TEXT).unwrap();
    assert_eq!(Preset::Workspace.rules().len(), loaded.policy.rules.len());
    assert!(Preset::Workspace.rules().iter().all(|rule| rule.is_of_preset));
}
