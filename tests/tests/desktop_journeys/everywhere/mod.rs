//! The same journeys on each desktop, with its own notification server. Those of the Wayland desktops need what
//! `scripts/setup desktops` installs, so that `make test` leaves them out; `make test-desktops` runs them.

mod crowd;
mod gnome;
mod hostile;
mod journeys;
mod keyboard;
mod plasma;
mod presence;
mod sway;
mod xfce;

/// A journey as a test of one desktop.
macro_rules! journey {
    ($kind:expr, $module:ident::$name:ident $(, #[$attribute:meta])?) => {
        #[tokio::test]
        $(#[$attribute])?
        async fn $name() -> anyhow::Result<()> {
            super::$module::$name($kind).await
        }
    };
}
pub(crate) use journey;

/// The journeys that every one of them has.
macro_rules! journeys_on {
    ($kind:expr $(, #[$attribute:meta])?) => {
        use super::journey;

        journey!($kind, journeys::a_notification_says_it_all_and_is_answered $(, #[$attribute])?);
        journey!(
            $kind,
            journeys::a_click_leads_to_the_very_request_and_the_window_has_the_keyboard $(, #[$attribute])?
        );
        journey!($kind, journeys::an_answer_elsewhere_takes_the_notification_along $(, #[$attribute])?);
        journey!($kind, journeys::a_new_notification_server_only_denies_and_opens $(, #[$attribute])?);
        journey!($kind, journeys::what_a_killed_application_left_goes_when_it_starts_again $(, #[$attribute])?);
        journey!($kind, journeys::the_tray_says_what_waits $(, #[$attribute])?);
        journey!($kind, journeys::a_second_start_shows_the_window_and_leaves_the_keyboard $(, #[$attribute])?);
        journey!($kind, keyboard::a_notification_leaves_the_keyboard_where_it_is $(, #[$attribute])?);
        journey!($kind, keyboard::keys_that_fall_while_a_prompt_comes_decide_nothing $(, #[$attribute])?);
        journey!($kind, keyboard::clicks_that_fall_while_a_prompt_comes_decide_nothing $(, #[$attribute])?);
        journey!($kind, presence::do_not_disturb $(, #[$attribute])?);
        journey!($kind, crowd::ten_agents_at_once_and_each_is_found $(, #[$attribute])?);
        journey!(
            $kind,
            crowd::a_thousand_wait_and_one_is_answered,
            #[ignore = "takes its time: make test-desktops"]
        );
        journey!($kind, hostile::a_very_long_command_is_read_in_the_window $(, #[$attribute])?);
        journey!($kind, hostile::a_text_that_misleads_is_marked_and_not_approved_on_its_notification $(, #[$attribute])?);
    };
}
pub(crate) use journeys_on;
