//! sway with mako and waybar.

use handraise_tests::desktop::Kind;

super::journeys_on!(Kind::Sway);

#[tokio::test]
#[ignore = "takes the desktop itself: make test-desktops"]
async fn a_new_notification_server_only_denies_and_opens() -> anyhow::Result<()> {
    journeys::a_new_notification_server_only_denies_and_opens(Kind::Sway).await
}
