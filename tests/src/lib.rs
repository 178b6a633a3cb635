//! What the end-to-end tests of Handraise share. The tests themselves are in `tests/tests/`.

pub mod api;
#[cfg(target_os = "linux")]
pub mod application;
pub mod binaries;
#[cfg(target_os = "linux")]
pub mod desktop;
pub mod headless;
#[cfg(target_os = "linux")]
pub mod person;
