//! The server's proof, by the vectors that the libraries for other languages are held to as well.

use handraise_protocol::{Challenge, ChallengeProof, TokenHash};
use serde::Deserialize;

const VECTORS: &str = include_str!("../../../sdk/vectors/proof.jsonl");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    token: String,
    nonce: String,
    address: String,
    /// The right one.
    proof: Option<String>,
    /// A wrong one.
    refused: Option<String>,
    because: Option<String>,
}

#[test]
fn a_proof_is_what_the_vectors_say() {
    let cases: Vec<Case> = VECTORS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut counts = (0, 0);
    for Case { token, nonce, address, proof, refused, because } in cases {
        let key = TokenHash::of(&token);
        let stored = TokenHash::from_hexadecimal(&key.to_hexadecimal()).unwrap();
        assert!(stored == key, "{token}");
        let challenge = Challenge { credential: "0123456789ab".to_owned(), nonce };
        if let Some(proof) = proof {
            let proof = ChallengeProof { proof };
            assert_eq!(stored.prove(&challenge, &address), proof, "{address}");
            assert!(key.is_proved_by(&proof, &challenge, &address), "{address}");
            counts.0 += 1;
        }
        if let Some(proof) = refused {
            let because = because.unwrap();
            assert!(!key.is_proved_by(&ChallengeProof { proof }, &challenge, &address), "{because}");
            counts.1 += 1;
        }
    }
    assert!(counts.0 >= 7 && counts.1 >= 19, "{counts:?}");
}

#[test]
fn a_hash_that_is_none_belongs_to_no_token() {
    let hash = TokenHash::of("hrq_0123456789ab_c0ffee").to_hexadecimal();
    for wrong in [
        "",
        "00",
        hash.strip_prefix(|_: char| true).unwrap(),
        &format!("{hash}00"),
        &hash.replace(|_: char| true, "g"),
        &format!("{hash}\n"),
    ] {
        assert!(TokenHash::from_hexadecimal(wrong).is_none(), "{wrong}");
    }
    assert_eq!(format!("{:?}", TokenHash::of("x")), "TokenHash");
}
