//! sway with mako and waybar.

use handraise_tests::desktop::Kind;

super::journeys_on!(Kind::Sway);
