//! KDE Plasma.

use handraise_tests::desktop::Kind;

super::journeys_on!(Kind::Plasma);

#[tokio::test]
#[ignore = "takes the desktop itself: make test-desktops"]
async fn a_locked_screen_holds_everything_back() -> anyhow::Result<()> {
    presence::a_locked_screen_holds_everything_back(Kind::Plasma).await
}
