//! The tray: what it shows is a plain value; drawing it is one file.

pub(crate) mod draw;
pub(crate) mod drawing;
mod entry;
pub(crate) mod icon;
mod lately;
pub(crate) mod menu;
