use super::*;

#[test]
fn the_rules_of_a_preset_are_read_and_their_examples_hold() {
    let count = |rules: &[Rules]| -> usize {
        let of = |rules: &Rules| match rules {
            Rules::Policy(text) => {
                crate::rules::parse(text).unwrap().policy.rules.iter().filter(|rule| !rule.is_of_preset).count()
            }
            Rules::Confined(text) => patterns(text).count(),
        };
        rules.iter().map(of).sum()
    };
    assert_eq!(rules_of_preset(Preset::Practical).len(), count(PRACTICAL_RULES));
    assert_eq!(rules_of_preset(Preset::Workspace).len(), count(WORKSPACE_RULES));
    assert!(rules_of_preset(Preset::Workspace).iter().all(|rule| rule.is_of_preset));
}
