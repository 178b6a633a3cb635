//! Xfce on X11, which `make test` has.

use handraise_tests::desktop::Kind;

super::journeys_on!(Kind::Xfce);
