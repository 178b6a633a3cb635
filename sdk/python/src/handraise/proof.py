"""The server proves that it is Handraise before anything is sent to it.

Any program of this user could sit on the port while Handraise is not running, and would answer "approved" to
everything. The formula stands at ``ChallengeProof`` in ``crates/protocol/src/credential.rs``, and
``sdk/vectors/proof.jsonl`` holds every language to it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets

from .locations import Token

MAX_ANSWER = 16 * 1024
"""The longest answer to a challenge that is read, in bytes."""
MAX_WAIT = 10.0
"""How long a server may take to prove itself, in seconds. The proof waits for nobody."""


class Challenge:
    """One challenge to the server at ``address``, for the credential of ``token``."""

    def __init__(self, token: Token, address: str, nonce: str | None = None) -> None:
        self._nonce = secrets.token_hex(32) if nonce is None else nonce
        self._token = token
        self._address = address
        self.body = json.dumps({"credential": token.id, "nonce": self._nonce}).encode()

    def is_met_by(self, status: int, answer: bytes) -> bool:
        """Whether ``answer`` shows that the server knows the token."""
        if status != 200:
            return False
        try:
            proof = json.loads(answer)["proof"]
        except (ValueError, KeyError, TypeError):
            return False
        expected = proof_of(self._token.text, self._nonce, self._address)
        return isinstance(proof, str) and hmac.compare_digest(expected.encode(), proof.encode())


def proof_of(token: str, nonce: str, address: str) -> str:
    """The proof of the server at ``address`` that it knows ``token``."""
    key = hashlib.sha256(token.encode()).digest()
    text = f"handraise-server-proof-v1\n{nonce}\n{address}"
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
