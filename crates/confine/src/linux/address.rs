//! Addresses of sockets, as the kernel reads them.

use std::ffi::OsStr;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use libc::{AF_INET, AF_INET6, AF_NETLINK, AF_UNIX, AF_UNSPEC, c_int};

/// `sizeof(struct sockaddr_un)`.
pub(super) const MAX_UNIX_ADDRESS: usize = 110;

/// The address of a Unix socket at this path: unix(7).
pub(super) fn unix_address(path: &Path) -> Vec<u8> {
    let mut bytes = family_bytes(AF_UNIX).to_vec();
    bytes.extend(path.as_os_str().as_bytes());
    bytes.push(0);
    bytes
}

fn family_bytes(family: c_int) -> [u8; 2] {
    u16::try_from(family).unwrap_or_default().to_ne_bytes()
}

/// What an address names.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Address {
    /// A port of IPv4 or IPv6. Addresses of IPv4 in those of IPv6 are taken out.
    Internet(SocketAddr),
    UnixPath(PathBuf),
    /// A name, or that the kernel is to choose one.
    UnixAbstract(String),
    /// The kernel, by netlink(7), with no group.
    Kernel,
    /// `AF_UNSPEC`.
    None,
    Other,
}

impl Address {
    /// Reads one.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let Some((family, rest)) = bytes.split_first_chunk::<2>() else { return Self::Other };
        match (c_int::from(u16::from_ne_bytes(*family)), rest) {
            (AF_UNIX, [] | [0, ..]) => {
                Self::UnixAbstract(String::from_utf8_lossy(rest).trim_start_matches('\0').to_owned())
            }
            (AF_UNIX, name) => {
                let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
                Self::UnixPath(PathBuf::from(OsStr::from_bytes(name.get(..end).unwrap_or_default())))
            }
            (AF_INET, [high, low, a, b, c, d, ..]) => {
                let port = u16::from_be_bytes([*high, *low]);
                Self::Internet(SocketAddr::new(IpAddr::V4(Ipv4Addr::new(*a, *b, *c, *d)), port))
            }
            (AF_INET6, [high, low, _, _, _, _, rest @ ..]) => match rest.first_chunk::<16>() {
                Some(bytes) => {
                    let address = IpAddr::V6(Ipv6Addr::from(*bytes)).to_canonical();
                    Self::Internet(SocketAddr::new(address, u16::from_be_bytes([*high, *low])))
                }
                None => Self::Other,
            },
            // Two bytes of padding, the port of the other side (0 is the kernel), groups.
            (AF_NETLINK, [_, _, _, _, _, _, 0, 0, 0, 0, ..]) => Self::Kernel,
            (AF_UNSPEC, _) => Self::None,
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(family: c_int, rest: &[u8]) -> Vec<u8> {
        [&family_bytes(family), rest].concat()
    }

    #[test]
    fn addresses_are_read_as_the_kernel_reads_them() {
        let mapped = [&[0, 80, 0, 0, 0, 0][..], &[0; 10], &[255, 255, 10, 0, 0, 1], &[0; 4]].concat();
        for (given, expected) in [
            (bytes(AF_UNIX, b"/a/b\0rest"), Address::UnixPath("/a/b".into())),
            (bytes(AF_UNIX, b"/a"), Address::UnixPath("/a".into())),
            (bytes(AF_UNIX, b"\0name"), Address::UnixAbstract("name".into())),
            (bytes(AF_UNIX, b""), Address::UnixAbstract(String::new())),
            (bytes(AF_INET, &[1, 0, 127, 0, 0, 1, 0, 0]), Address::Internet("127.0.0.1:256".parse().unwrap())),
            (bytes(AF_INET6, &mapped), Address::Internet("10.0.0.1:80".parse().unwrap())),
            (bytes(AF_INET, &[1, 0, 127]), Address::Other),
            (bytes(AF_NETLINK, &[0; 10]), Address::Kernel),
            (bytes(AF_NETLINK, &[0, 0, 7, 0, 0, 0, 1, 0, 0, 0]), Address::Other),
            (bytes(AF_UNSPEC, &[]), Address::None),
            (vec![1], Address::Other),
        ] {
            assert_eq!(Address::of(&given), expected, "{given:?}");
        }
    }
}
