use super::*;

#[test]
fn the_rules_of_a_preset_are_read_and_their_examples_hold() {
    let count = |text| crate::rules::parse(text).unwrap().policy.rules.iter().filter(|rule| !rule.is_of_preset).count();
    let (practical, workspace) = (count(PRACTICAL_TEXT) + count(NOTHING_LOST_TEXT), count(WORKSPACE_TEXT));
    assert_eq!(Preset::Practical.rules().len(), practical);
    assert_eq!(Preset::Workspace.rules().len(), practical + workspace);
    assert!(Preset::Workspace.rules().iter().all(|rule| rule.is_of_preset));
}
