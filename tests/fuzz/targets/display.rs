#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| handraise_fuzz::display::check(text));
