//! The same journeys on each Wayland desktop, with its own notification server. They need what `scripts/setup desktops`
//! installs, so that `make test` leaves them out; `make test-desktops` runs them.

mod gnome;
mod journeys;
mod keyboard;
mod plasma;
mod presence;
mod sway;

/// The journeys that every one of them has, as tests of one desktop.
macro_rules! journeys_on {
    ($kind:expr) => {
        use super::{journeys, keyboard, presence};

        #[tokio::test]
        #[ignore = "takes the desktop itself: make test-desktops"]
        async fn a_notification_says_it_all_and_is_answered() -> anyhow::Result<()> {
            journeys::a_notification_says_it_all_and_is_answered($kind).await
        }

        #[tokio::test]
        #[ignore = "takes the desktop itself: make test-desktops"]
        async fn a_click_leads_to_the_very_request_and_the_window_has_the_keyboard() -> anyhow::Result<()> {
            journeys::a_click_leads_to_the_very_request_and_the_window_has_the_keyboard($kind).await
        }

        #[tokio::test]
        #[ignore = "takes the desktop itself: make test-desktops"]
        async fn an_answer_elsewhere_takes_the_notification_along() -> anyhow::Result<()> {
            journeys::an_answer_elsewhere_takes_the_notification_along($kind).await
        }

        #[tokio::test]
        #[ignore = "takes the desktop itself: make test-desktops"]
        async fn what_a_killed_application_left_goes_when_it_starts_again() -> anyhow::Result<()> {
            journeys::what_a_killed_application_left_goes_when_it_starts_again($kind).await
        }

        #[tokio::test]
        #[ignore = "takes the desktop itself: make test-desktops"]
        async fn the_tray_says_what_waits() -> anyhow::Result<()> {
            journeys::the_tray_says_what_waits($kind).await
        }

        #[tokio::test]
        #[ignore = "takes the desktop itself: make test-desktops"]
        async fn a_notification_leaves_the_keyboard_where_it_is() -> anyhow::Result<()> {
            keyboard::a_notification_leaves_the_keyboard_where_it_is($kind).await
        }

        #[tokio::test]
        #[ignore = "takes the desktop itself: make test-desktops"]
        async fn keys_that_fall_while_a_prompt_comes_decide_nothing() -> anyhow::Result<()> {
            keyboard::keys_that_fall_while_a_prompt_comes_decide_nothing($kind).await
        }

        #[tokio::test]
        #[ignore = "takes the desktop itself: make test-desktops"]
        async fn clicks_that_fall_while_a_prompt_comes_decide_nothing() -> anyhow::Result<()> {
            keyboard::clicks_that_fall_while_a_prompt_comes_decide_nothing($kind).await
        }

        #[tokio::test]
        #[ignore = "takes the desktop itself: make test-desktops"]
        async fn do_not_disturb() -> anyhow::Result<()> {
            presence::do_not_disturb($kind).await
        }
    };
}
pub(crate) use journeys_on;
