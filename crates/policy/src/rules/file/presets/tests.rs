use super::*;

#[test]
fn the_rules_of_a_preset_are_read_and_their_examples_hold() {
    let count = |text| crate::rules::parse(text).unwrap().policy.rules.iter().filter(|rule| !rule.is_of_preset).count();
    let (practical, workspace) = (count(PRACTICAL_TEXT) + count(NOTHING_LOST_TEXT), count(WORKSPACE_TEXT));
    assert_eq!(rules_of_preset(Preset::Practical).len(), practical);
    assert_eq!(rules_of_preset(Preset::Workspace).len(), practical + workspace);
    assert!(rules_of_preset(Preset::Workspace).iter().all(|rule| rule.is_of_preset));
}
