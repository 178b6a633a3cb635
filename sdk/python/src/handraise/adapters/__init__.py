"""Handraise in the places that other projects have for it. Each module needs its own package; the core needs none."""
