#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| handraise_fuzz::redaction::check(text));
