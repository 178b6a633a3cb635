//! sway with mako and waybar.

use handraise_tests::desktop::Kind;

super::journeys_on!(Kind::Sway, #[ignore = "takes the desktop itself: make test-desktops"]);
journey!(
    Kind::Sway,
    keyboard::no_letter_decides_in_a_window_that_was_given_the_keyboard_until_it_is_clicked,
    #[ignore = "takes the desktop itself: make test-desktops"]
);
