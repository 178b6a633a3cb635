"""The policy, and that it answers as the Rust engine does."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any, cast

import pytest
from conftest import PROGRAM, REPOSITORY

from handraise import (
    Action,
    AgentPolicy,
    ApprovalPolicy,
    RiskDefaults,
    RiskLevel,
    UnsupportedKeyError,
    canonical_json,
)

VECTORS = REPOSITORY / "sdk/vectors/policy.jsonl"


def answer(case: dict[str, Any]) -> dict[str, Any]:
    call = case["call"]
    try:
        policy = ApprovalPolicy.from_table(case["policy"])
    except UnsupportedKeyError as error:
        return {"unsupported": error.key}
    except ValueError:
        return {"invalid": True}
    decided = policy.decide(call["tool"], call.get("arguments", {}), call.get("risk"), agent=call.get("agent"))
    return {"action": decided.action.value, "rule": decided.rule.pattern if decided.rule else None}


def toml(value: Any) -> str:
    """``value`` as TOML, in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(key)} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return quoted(value) if isinstance(value, str) else json.dumps(value)


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def file(policy: dict[str, Any]) -> str:
    """The policy file that says the same."""
    return "".join(f"{quoted(key)} = {toml(value)}\n" for key, value in {"version": 1, **policy}.items())


def engine(cases: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """What ``handraise policy eval`` answers."""
    names = {"--config-dir": "config", "--data-dir": "data", "--runtime-dir": "run"}
    flags = [part for flag, name in names.items() for part in (flag, str(folder / name))]
    lines = "".join(json.dumps({"policy": file(case["policy"]), "request": case["call"]}) + "\n" for case in cases)
    done = subprocess.run(
        [PROGRAM, *flags, "policy", "eval"], input=lines, capture_output=True, text=True, check=True, timeout=300
    )
    answers = []
    for line in done.stdout.splitlines():
        read = json.loads(line)
        if any(found.get("severity") == "error" for found in read.get("lint", [])):
            answers.append({"invalid": True, **read})
        else:
            answers.append(read)
    assert len(answers) == len(cases)
    return answers


def cases() -> list[dict[str, Any]]:
    lines = VECTORS.read_text().split("\n")
    found = [cast("dict[str, Any]", json.loads(line)) for line in lines if line]
    for case in found:
        if long := case["call"].pop("long_argument", None):
            case["call"]["arguments"] = {long["name"]: long["unit"] * long["count"]}
        case["call"].setdefault("arguments", {})
    return found


def test_there_are_vectors() -> None:
    found = cases()
    assert len(found) >= 100
    assert len({case["id"] for case in found}) == len(found)


@pytest.mark.parametrize("case", cases(), ids=lambda case: str(case["id"]))
def test_vector(case: dict[str, Any]) -> None:
    told = answer(case)
    # A key that there is not is refused in the same way as one that is not answered here.
    assert told == case["expect"] or ("invalid" in case["expect"] and "unsupported" in told)


def test_the_program_gives_the_same_answers_to_the_vectors(tmp_path: Path) -> None:
    found = cases()
    for case, told in zip(found, engine(found, tmp_path), strict=True):
        if case["expect"].get("invalid"):
            assert told.get("invalid"), case
        elif "unsupported" in case["expect"]:
            assert not told.get("invalid"), told
        else:
            assert {"action": told["action"], "rule": told["rule"]} == case["expect"], told


def test_random_policies_give_the_same_answers_as_the_program(tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(2**32)
    dice = random.Random(seed)
    made = [random_case(dice) for _ in range(3000)]
    differences = []
    for case, told in zip(made, engine(made, tmp_path), strict=True):
        own = answer(case)
        if own.get("invalid") or told.get("invalid"):
            same = bool(own.get("invalid")) == bool(told.get("invalid"))
        else:
            same = (own["action"], own["rule"]) == (told["action"], told["rule"])
        if not same:
            differences.append((case, own, told))
    assert not differences, f"seed {seed}, {len(differences)} differ, as {differences[0]}"


def test_words_of_other_products_have_a_level() -> None:
    words = {
        "read_only": "low ReadOnly read-only safe",
        "write": "medium requires_approval write",
        "destructive": "HIGH forbidden",
    }
    for level, meaning in words.items():
        assert {RiskLevel.from_word(word) for word in meaning.split()} == {RiskLevel(level)}
    assert RiskLevel.from_word(" requires approval ") is RiskLevel.WRITE
    assert RiskLevel.from_word("harmless") is None


TEXTS = [
    "a",
    "b",
    "deploy",
    "production",
    "x:y",
    "ü",
    "日",
    "é",
    "A",
    "a b",
    "\\",
    '"',
    "*",
    "?",
    ".",
    "^$",
    "\n",
    "🙂",
]
NAMES = [
    "a",
    "b",
    "ab",
    "deploy",
    "deploy:prod",
    "search_web",
    "Ü",
    "a.b",
    "a*b",
    "a?b",
    "-",
    "_",
    "日本",
    "Edit",
    "write",
]
PIECES = [
    "*",
    "**",
    "?",
    "a",
    "b",
    "deploy",
    ":",
    "*production*",
    "ü",
    "日",
    ".",
    "^",
    "[",
    "{",
    "\\",
    '"',
    ",",
    "1",
    "null",
    "_",
]
ACTIONS = ["allow", "ask", "deny"]
NUMBERS: list[int | float] = [0, -0.0, 1, -1, 1.5, 1e21, 1e-7, 123456789012345680000, 2**53 + 1, 0.1, 5e-324, 1e20, 1.0]


def test_no_two_numbers_that_differ_have_one_text() -> None:
    numbers = [2**53, 2**53 + 1, float(2**53), 2**64 - 1, 2**64, -(2**63), -float(2**63), 1e16, 10**16, 10**16 + 1]
    texts = [canonical_json({"n": number}) for number in numbers]
    assert len(set(texts)) == len(texts), texts
    assert canonical_json({"n": [1.0, float(2**53 - 1), 1e20]}) == '{"n":[1,9007199254740991,100000000000000000000]}'


KNOWN: list[tuple[str, dict[str, Any]]] = [
    ("write_file", {"path": "/tmp/notes/a", "content": "b"}),
    ("Write", {"path": "/tmp/notes/a", "file_path": "/tmp/notes/b", "content": "b"}),
    ("Edit", {"filePath": "/tmp/notes/a", "old_string": "a", "newString": "b"}),
    ("read_file", {"path": "/tmp/notes/a"}),
    ("fetch", {"url": "https://example.org/a"}),
    ("fetch", {"uri": "https://example.org/a"}),
    ("bash", {"script": "deploy"}),
]


def random_case(dice: random.Random) -> dict[str, Any]:
    def value(depth: int) -> Any:
        kind = dice.randrange(8 if depth else 6)
        if kind < 3:
            return dice.choice(TEXTS)
        if kind == 3:
            return dice.choice(NUMBERS)
        if kind == 4:
            return dice.choice([True, False, None])
        if kind == 5:
            return dice.uniform(-1e3, 1e3) * 10 ** dice.randrange(-30, 30)
        if kind == 6:
            return [value(depth - 1) for _ in range(dice.randrange(3))]
        return {dice.choice(TEXTS): value(depth - 1) for _ in range(dice.randrange(3))}

    def pattern() -> str:
        if dice.random() < 0.3:
            return f"{dice.choice(NAMES)}:*{dice.choice(TEXTS)}*"
        return "".join(dice.choice(PIECES) for _ in range(dice.randrange(1, 5)))

    def rule() -> dict[str, Any]:
        action = dice.choice(ACTIONS)
        final = {"final": True} if action != "allow" and dice.random() < 0.15 else {}
        return {"pattern": pattern(), "action": action, **final}

    tool, arguments = dice.choice(NAMES), {dice.choice(TEXTS): value(2) for _ in range(dice.randrange(4))}
    if dice.random() < 0.1:
        tool, arguments = dice.choice(KNOWN)
    call: dict[str, Any] = {"tool": tool, "arguments": arguments}
    if dice.random() < 0.75:
        call["risk"] = dice.choice(["read_only", "write", "destructive"])
    policy: dict[str, Any] = {
        "preset": dice.choice(["practical", "strict", "autonomous"]),
        "rule": [rule() for _ in range(dice.randrange(4))],
        "risk": {level: dice.choice(ACTIONS) for level in ("read_only", "write", "destructive") if dice.random() < 0.3},
    }
    if dice.random() < 0.3:
        policy["unknown_tools"] = dice.choice(ACTIONS)
    if dice.random() < 0.3:
        call["agent"] = dice.choice(["ann", "bob"])
        policy["agent"] = {"ann": {"rule": [rule()], "risk": {"write": dice.choice(ACTIONS)}}}
    return {"policy": policy, "call": call}


def test_about_command_lines_it_is_never_laxer_than_the_program(tmp_path: Path) -> None:
    dice = random.Random(random.SystemRandom().randrange(2**32))
    lines = [
        "ls",
        "rm -rf build",
        "git push --force",
        "curl x | sh",
        "echo a > /tmp/notes/b",
        "a; b",
        "$(x)",
        "make test",
    ]
    made = []
    for _ in range(1000):
        case = random_case(dice)
        case["call"] |= {"tool": dice.choice(["bash", "Bash", "shell"]), "arguments": {"command": dice.choice(lines)}}
        for rule in case["policy"]["rule"]:
            if dice.random() < 0.7:
                rule["pattern"] = dice.choice(
                    ["*", "bash", "?ash", "*:*ls*", "bash:*make*", "*:*rm*", 'bash:{"command":"ls"}']
                )
        made.append(case)
    strictness = ["allow", "ask", "deny"].index
    for case, told in zip(made, engine(made, tmp_path), strict=True):
        own = answer(case)
        if "action" in own and not told.get("invalid"):
            assert strictness(own["action"]) >= strictness(told["action"]), (case, own, told)


def test_a_condition_of_a_single_rule_is_refused_by_name() -> None:
    with pytest.raises(UnsupportedKeyError, match="`command` in a rule is not answered without the app") as caught:
        ApprovalPolicy([{"pattern": "bash", "command": "git status *", "action": "allow"}])
    assert (caught.value.key, caught.value.place) == ("command", "a rule")
    with pytest.raises(UnsupportedKeyError, match="`path` in a rule"):
        ApprovalPolicy(agents={"ann": AgentPolicy([{"pattern": "edit", "path": "src/**", "action": "allow"}])})
    with pytest.raises(ValueError, match="maybe"):
        RiskDefaults(write="maybe")  # type: ignore[arg-type]


def test_rules_of_an_agent_are_written_as_any_others() -> None:
    agents = {"ann": AgentPolicy([("deploy", "allow"), {"pattern": "drop", "action": "deny"}])}
    policy = ApprovalPolicy(agents=agents)
    decided = [policy.decide(tool, agent=agent).action for agent in ("ann", None) for tool in ("deploy", "drop")]
    assert decided == [Action.ALLOW, Action.DENY, Action.ASK, Action.ASK]
