//! Enums that are the same on the wire and in the domain.

/// Declares the wire form of an enum of the domain, with conversions both ways. A variant that only one side has does
/// not compile: neither `match` has a rest.
macro_rules! wire_enum {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident = $domain:ty { $($(#[$of_variant:meta])* $variant:ident,)+ }
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
        $(#[$attribute])*
        pub enum $name { $($(#[$of_variant])* $variant,)+ }

        impl From<$domain> for $name {
            fn from(domain: $domain) -> Self {
                match domain { $(<$domain>::$variant => Self::$variant,)+ }
            }
        }

        impl From<$name> for $domain {
            fn from(wire: $name) -> Self {
                match wire { $($name::$variant => Self::$variant,)+ }
            }
        }
    };
}

pub(crate) use wire_enum;
