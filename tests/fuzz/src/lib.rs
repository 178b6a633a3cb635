//! What the fuzz targets share: an opinion of its own about characters and quoting, and requests.

mod characters;
mod quoting;
mod request;

pub use characters::{first_acting, is_refused_control};
pub use quoting::{requoted, toml_string};
pub use request::{now, shell_request};
