//! What the names of files of source text end with.

const SOURCE_ENDINGS: &str = "rs py js ts tsx jsx mjs cjs go c h cc cpp hpp java kt rb php cs swift md rst html css scss vue svelte sql \
    proto zig hs ml ex exs erl scala lua pl r jl dart \
    ps1 psm1 mdx astro fish zsh bash bat";

/// Whether everything that a pattern of file names stands for ends like a file of source text.
pub(crate) fn ends_like_source(text: &str) -> bool {
    let fixed = text.rsplit(['*', '?', ']', '}']).next().unwrap_or_default();
    let Some((_, ending)) = fixed.rsplit_once('.') else { return false };
    SOURCE_ENDINGS.split_ascii_whitespace().any(|listed| listed == ending)
}
