//! Packs of objects: gitformat-pack(5), versions 2 of both files.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use super::object::{MAX_OBJECT, ObjectId, ObjectKind, inflated};
use super::{Lookup, NotTold, Until};
use crate::disk::open;

/// Most differences in a row: git makes at most 50 unless it is told otherwise.
const MAX_DEPTH: usize = 256;
/// What an index of a pack begins with, and the table behind it.
const HEAD: u64 = 8;
const FANOUT: u64 = 256 * 4;

/// One pack and its index.
#[derive(Debug)]
pub(super) struct Pack {
    index: File,
    pack: File,
    length: u64,
    /// Objects in it.
    count: u64,
}

/// Most objects of which the names begin alike.
const MAX_ALIKE: usize = 16;

/// What stands at a place of a pack.
enum PackEntry {
    Whole(ObjectKind, Vec<u8>),
    /// A difference to the object at this place.
    Difference(u64, Vec<u8>),
    DifferenceTo(ObjectId, Vec<u8>),
}

impl Pack {
    pub(super) fn open(index: &Path, length: usize) -> Lookup<Self> {
        let file = |path: &Path| open(path).map_err(|_| NotTold);
        let (pack, index) = (file(&index.with_extension("pack"))?, file(index)?);
        let head: [u8; 8] = at(&index, 0)?;
        if head != *b"\xfftOc\0\0\0\x02" {
            return Err(NotTold);
        }
        let count = u64::from(u32::from_be_bytes(at(&index, HEAD + 255 * 4)?));
        Ok(Self { index, pack, length: u64::try_from(length).unwrap_or(20), count })
    }

    /// Where the object called `id` stands in the pack.
    pub(super) fn place(&self, id: &ObjectId) -> Lookup<Option<u64>> {
        let first = u64::from(*id.0.first().ok_or(NotTold)?);
        let fanout = |byte: u64| at(&self.index, HEAD + byte * 4).map(|four| u64::from(u32::from_be_bytes(four)));
        let mut low = if first == 0 { 0 } else { fanout(first - 1)? };
        let mut high = fanout(first)?.min(self.count);
        let names = HEAD + FANOUT;
        while low < high {
            let middle = low + (high - low) / 2;
            let name = bytes(&self.index, names + middle * self.length, self.length)?;
            match name.as_slice().cmp(id.0.as_slice()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return self.offset(middle).map(Some),
            }
        }
        Ok(None)
    }

    /// The objects whose names begin with the hexadecimal digits `start`, up to [`MAX_ALIKE`].
    pub(super) fn beginning_with(&self, start: &str) -> Lookup<Vec<ObjectId>> {
        let digits = usize::try_from(self.length).map_err(|_| NotTold)? * 2;
        let least = hex::decode(format!("{start:0<digits$}")).map_err(|_| NotTold)?;
        let name = |number: u64| bytes(&self.index, HEAD + FANOUT + number * self.length, self.length);
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            if name(middle)?.as_slice() < least.as_slice() { low = middle + 1 } else { high = middle }
        }
        let mut found = Vec::new();
        while low < self.count && found.len() < MAX_ALIKE {
            let id = ObjectId(name(low)?);
            if !id.hex().starts_with(start) {
                break;
            }
            found.push(id);
            low += 1;
        }
        Ok(found)
    }

    fn offset(&self, number: u64) -> Lookup<u64> {
        // Behind the names stands a checksum of four bytes for each.
        let offsets = HEAD + FANOUT + self.count * (self.length + 4);
        let offset = u32::from_be_bytes(at(&self.index, offsets + number * 4)?);
        if offset & 0x8000_0000 == 0 {
            return Ok(u64::from(offset));
        }
        let far = u64::from(offset & 0x7fff_ffff);
        Ok(u64::from_be_bytes(at(&self.index, offsets + self.count * 4 + far * 8)?))
    }

    /// The object at `place`.
    pub(super) fn read(&self, place: u64, until: Until) -> Lookup<(ObjectKind, Vec<u8>)> {
        let mut differences = Vec::new();
        let mut place = place;
        let (kind, mut whole) = loop {
            until.check()?;
            if differences.len() > MAX_DEPTH {
                return Err(NotTold);
            }
            match self.entry(place)? {
                PackEntry::Whole(kind, whole) => break (kind, whole),
                PackEntry::Difference(base, difference) => {
                    differences.push(difference);
                    place = base;
                }
                // Packs on the disk are complete.
                PackEntry::DifferenceTo(base, difference) => {
                    differences.push(difference);
                    place = self.place(&base)?.ok_or(NotTold)?;
                }
            }
        };
        for difference in differences.iter().rev() {
            whole = applied(&whole, difference).ok_or(NotTold)?;
        }
        Ok((kind, whole))
    }

    fn entry(&self, place: u64) -> Lookup<PackEntry> {
        let mut file = &self.pack;
        file.seek(SeekFrom::Start(place)).map_err(|_| NotTold)?;
        let mut reader = BufReader::new(file);
        let first = byte(&mut reader)?;
        let kind = (first >> 4) & 7;
        let mut size = u64::from(first & 0x0f);
        let (mut more, mut shift) = (first & 0x80 != 0, 4);
        while more {
            let next = byte(&mut reader)?;
            size |= u64::from(next & 0x7f).checked_shl(shift).ok_or(NotTold)?;
            more = next & 0x80 != 0;
            shift += 7;
        }
        let size = usize::try_from(size).ok().filter(|size| *size <= MAX_OBJECT).ok_or(NotTold)?;
        let base = match kind {
            6 => {
                let back = far(&mut reader)?;
                Some(place.checked_sub(back).filter(|base| *base < place).ok_or(NotTold)?)
            }
            _ => None,
        };
        let name = match kind {
            7 => {
                let mut name = vec![0; usize::try_from(self.length).unwrap_or(20)];
                reader.read_exact(&mut name).map_err(|_| NotTold)?;
                Some(ObjectId(name))
            }
            _ => None,
        };
        let content = inflated(reader, size)?;
        if content.len() != size {
            return Err(NotTold);
        }
        match (kind, base, name) {
            (1, ..) => Ok(PackEntry::Whole(ObjectKind::Commit, content)),
            (2, ..) => Ok(PackEntry::Whole(ObjectKind::Tree, content)),
            (3, ..) => Ok(PackEntry::Whole(ObjectKind::Blob, content)),
            (4, ..) => Ok(PackEntry::Whole(ObjectKind::Tag, content)),
            (6, Some(base), _) => Ok(PackEntry::Difference(base, content)),
            (7, _, Some(name)) => Ok(PackEntry::DifferenceTo(name, content)),
            _ => Err(NotTold),
        }
    }
}

/// "offset encoding".
fn far(reader: &mut impl Read) -> Lookup<u64> {
    let mut next = byte(reader)?;
    let mut value = u64::from(next & 0x7f);
    while next & 0x80 != 0 {
        next = byte(reader)?;
        value = value.checked_add(1).and_then(|value| value.checked_mul(128)).ok_or(NotTold)?;
        value = value.checked_add(u64::from(next & 0x7f)).ok_or(NotTold)?;
    }
    Ok(value)
}

/// "Deltified representation": `base` with `difference`.
fn applied(base: &[u8], difference: &[u8]) -> Option<Vec<u8>> {
    let mut rest = difference.iter().copied();
    let size = |rest: &mut dyn Iterator<Item = u8>| -> Option<usize> {
        let (mut value, mut shift) = (0_usize, 0_u32);
        loop {
            let byte = rest.next()?;
            value |= usize::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
    };
    let (from, to) = (size(&mut rest)?, size(&mut rest)?);
    if from != base.len() || to > MAX_OBJECT {
        return None;
    }
    let mut made = Vec::with_capacity(to);
    while let Some(instruction) = rest.next() {
        if instruction & 0x80 != 0 {
            let mut number = |bits: std::ops::Range<u32>| -> Option<usize> {
                let mut value = 0_usize;
                for (place, bit) in bits.enumerate() {
                    if instruction & (1 << bit) != 0 {
                        value |= usize::from(rest.next()?) << (8 * place);
                    }
                }
                Some(value)
            };
            let (start, length) = (number(0..4)?, number(4..7)?);
            let length = if length == 0 { 0x1_0000 } else { length };
            made.extend_from_slice(base.get(start..start.checked_add(length)?)?);
        } else {
            for _ in 0..instruction {
                made.push(rest.next()?);
            }
            if instruction == 0 {
                return None;
            }
        }
        if made.len() > to {
            return None;
        }
    }
    (made.len() == to).then_some(made)
}

fn byte(reader: &mut impl Read) -> Lookup<u8> {
    let mut one = [0];
    reader.read_exact(&mut one).map_err(|_| NotTold)?;
    let [one] = one;
    Ok(one)
}

fn at<const LENGTH: usize>(file: &File, place: u64) -> Lookup<[u8; LENGTH]> {
    let held = bytes(file, place, u64::try_from(LENGTH).unwrap_or(0))?;
    held.try_into().map_err(|_| NotTold)
}

fn bytes(mut file: &File, place: u64, length: u64) -> Lookup<Vec<u8>> {
    file.seek(SeekFrom::Start(place)).map_err(|_| NotTold)?;
    let mut held = vec![0; usize::try_from(length).map_err(|_| NotTold)?];
    file.read_exact(&mut held).map_err(|_| NotTold)?;
    Ok(held)
}
