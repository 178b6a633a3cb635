//! What an agent has told of, each thing by its session and its id there, up to a number of things.

use std::collections::{HashMap, VecDeque};

/// Session and id.
type Key = (String, String);

/// Things in the order in which they were first told of.
#[derive(Debug)]
pub(super) struct Known<T> {
    things: HashMap<Key, T>,
    oldest_first: VecDeque<Key>,
}

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self { things: HashMap::new(), oldest_first: VecDeque::new() }
    }
}

impl<T: Default> Known<T> {
    pub(super) fn len(&self) -> usize {
        self.things.len()
    }

    pub(super) fn get(&self, session: &str, id: &str) -> Option<&T> {
        self.things.get(&key(session, id))
    }

    /// The thing, made where it is new.
    pub(super) fn entry(&mut self, session: &str, id: &str) -> &mut T {
        let key = key(session, id);
        if !self.things.contains_key(&key) {
            self.oldest_first.push_back(key.clone());
        }
        self.things.entry(key).or_default()
    }

    /// Forgets the thing, and gives it.
    pub(super) fn forget(&mut self, session: &str, id: &str) -> Option<T> {
        let key = key(session, id);
        let forgotten = self.things.remove(&key)?;
        self.oldest_first.retain(|other| *other != key);
        Some(forgotten)
    }

    /// Forgets the thing that was told of first, and gives it.
    pub(super) fn forget_oldest(&mut self) -> Option<T> {
        let oldest = self.oldest_first.pop_front()?;
        self.things.remove(&oldest)
    }
}

fn key(session: &str, id: &str) -> Key {
    (session.to_owned(), id.to_owned())
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::{Map, Value};

    use super::*;

    /// The fields of an object.
    pub(in super::super) fn object(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(object) => object,
            _ => Map::new(),
        }
    }

    #[test]
    fn the_order_is_that_of_the_first_time() {
        let mut known = Known::<u8>::default();
        for (session, id) in [("s", "a"), ("s", "b"), ("t", "a"), ("s", "a")] {
            *known.entry(session, id) += 1;
        }
        assert_eq!((known.len(), known.get("s", "a"), known.get("t", "b")), (3, Some(&2), None));
        assert_eq!(known.forget("s", "b"), Some(1));
        assert_eq!(known.forget("s", "b"), None);
        assert_eq!([known.forget_oldest(), known.forget_oldest(), known.forget_oldest()], [Some(2), Some(1), None]);
    }
}
