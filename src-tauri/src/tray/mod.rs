//! The tray: what it shows is a plain value; drawing it is one file.

pub(crate) mod draw;
pub(crate) mod drawing;
pub(crate) mod icon;
pub(crate) mod menu;
