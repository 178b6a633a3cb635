//! Secrets taken out of text before it is shown, stored or streamed.
