use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

mod code;
mod commands;
mod files;
mod further;
mod languages;

fn redactor() -> Redactor {
    Redactor::new([7; 32])
}

/// A password as people choose them: with a sign that means something to a shell.
const PASSWORD: &str = "Vb3SNMLQt6wF$Qwn";

/// Fails with those of `forms` in which a password in the place of `SECRET` is read, or is not all that is hidden.
fn hides(forms: &[&str]) {
    let failed: Vec<String> = forms
        .iter()
        .map(|form| (form, redactor().text(&form.replace("SECRET", PASSWORD))))
        .filter(|(form, redacted)| {
            let around = form.split("SECRET").all(|part| redacted.text.contains(part));
            redacted.text.contains(PASSWORD) || redacted.text.contains("Qwn") || !around
        })
        .map(|(form, redacted)| format!("{form:?}: {:?}", redacted.text))
        .collect();
    assert!(failed.is_empty(), "{} of {} fail\n{}", failed.len(), forms.len(), failed.join("\n"));
}

/// Fails with those of `texts` of which anything is hidden.
fn shows(texts: &[&str]) {
    let failed: Vec<String> = texts
        .iter()
        .map(|text| (text, redactor().text(text).text))
        .filter(|(text, redacted)| *text != redacted)
        .map(|(text, redacted)| format!("{text:?}: {redacted:?}"))
        .collect();
    assert!(failed.is_empty(), "{} of {} fail\n{}", failed.len(), texts.len(), failed.join("\n"));
}

fn kinds(redactions: &[Redaction]) -> Vec<&str> {
    redactions.iter().map(|redaction| redaction.kind.as_str()).collect()
}

#[test]
fn a_mark_says_kind_and_length_and_a_redaction_serializes_as_both() {
    let redacted = redactor().text("mysql --password=FakePass1 shop");
    let (head, tail) = redacted.text.split_once("‹redacted:password:9:").unwrap();
    assert_eq!(head, "mysql --password=");
    assert!(tail.ends_with("› shop"), "{tail}");
    assert_eq!(redacted.redactions, [Redaction { kind: "password".to_owned(), length: 9 }]);
}

#[test]
fn a_control_sequence_cannot_swallow_the_beginning_of_a_secret() {
    for text in ["\u{1b}[AKIA4YSNIFBKEITN5XVK x", "a\u{1b}[ AKIA4YSNIFBKEITN5XVK 0m", "\u{1b}[password=FakePass1"] {
        let redacted = redactor().text(text);
        assert_eq!(redacted.redactions.len(), 1, "{text:?}: {}", redacted.text);
    }
}

#[test]
fn a_token_that_goes_on_behind_another_is_found_whole() {
    let redacted = redactor().text("whsec_GmP4CXrtpFFAKE0CL81key=glpat-x7Kq9_Zr2mWb4TnVcY8L");
    assert!(!redacted.text.contains("Zr2mWb4TnVcY8L"), "{}", redacted.text);
}

#[test]
fn the_same_secret_has_the_same_mark_in_two_texts() {
    let redactor = redactor();
    let mark = |text: &str| redactor.text(text).text.split_once('‹').unwrap().1.split_once('›').unwrap().0.to_owned();
    assert_eq!(mark("PASSWORD=FakePass1"), mark("{\"password\": \"FakePass1\"}"));
    assert_ne!(mark("PASSWORD=FakePass1"), mark("PASSWORD=FakePass2"));
}

#[test]
fn the_format_names_what_the_place_also_knows() {
    let redacted = redactor().text("API_TOKEN=glpat-FAKEabcdef0123456789");
    assert_eq!(kinds(&redacted.redactions), ["gitlab-token"]);
}

#[test]
fn the_users_patterns_and_keys_add_to_the_built_in_ones() {
    let user = UserRedaction {
        patterns: vec![
            UserPattern::new("ticket", "TCK-[0-9]{6}").unwrap(),
            UserPattern::new("badge", "badge (?<secret>[0-9]+)").unwrap(),
        ],
        keys: vec![UserKey::new("my_field").unwrap()],
    };
    let redactor = Redactor::with(&user, [7; 32]);
    let redacted = redactor.text("TCK-123456, badge 77, --my-field=abc, password=FakePass1");
    assert_eq!(kinds(&redacted.redactions), ["ticket", "badge", "user-key", "password"]);
    assert!(redacted.text.contains("badge ‹redacted:badge:2:"), "{}", redacted.text);
    assert_eq!(kinds(&redactor.value(&json!({"a": {"myField": "abc"}})).redactions), ["user-key"]);
}

#[test]
fn unusable_patterns_are_refused_with_their_name() {
    let refused = |name, regex| UserPattern::new(name, regex).unwrap_err();
    assert!(matches!(refused("My Ticket", "a"), InvalidUserPattern::Name { .. }));
    assert!(matches!(refused("ticket", "a("), InvalidUserPattern::Regex { .. }));
    assert!(matches!(refused("ticket", "a*"), InvalidUserPattern::MatchesNothing { .. }));
    assert!(matches!(refused("ticket", "(((a{999}){999}){999})"), InvalidUserPattern::Regex { .. }));
    assert!(matches!(UserKey::new("-").unwrap_err(), InvalidUserPattern::Key { .. }));
}

#[test]
fn keys_are_found_at_any_depth_in_any_case() {
    let value = json!({
        "a": [{"dbPassword": "FakeA1", "PASSWD": "FakeB2", "x-api-key": "FakeC3x"}],
        "headers": {"Authorization": "Bearer FAKEd4d4d4d4d4"},
        "password": {"primary": "FakeE5", "type": "string"},
        "tokens": ["FakeToken6x", 7, null],
        "port": 5432,
    });
    let redacted = redactor().value(&value);
    let text = redacted.value.to_string();
    for secret in ["FakeA1", "FakeB2", "FakeC3x", "FAKEd4", "FakeE5", "FakeToken6x"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    assert!(text.contains("Bearer ‹redacted:authorization:"), "{text}");
    assert!(text.contains(r#""type":"string""#) && text.contains("5432"), "{text}");
}

#[test]
fn lists_of_names_and_values_and_arguments_of_programs_are_understood() {
    let value = json!({
        "env": [{"name": "API_TOKEN", "value": "FakeTokenA1"}, {"name": "LANG", "value": "FakeLanguage1"}],
        "argv": ["tool", "--password", "FakeB2", "--verbose", "FakeWord3"],
        "command": ["mysql", "-pFakeC3", "shop"],
        "other": ["sshpass", "-p", "FakeD4", "ssh"],
        "pairs": [["X-Api-Key", "FakeE5FakeE5x"], ["Accept", "text/html1234567"]],
    });
    let text = redactor().value(&value).value.to_string();
    for secret in ["FakeTokenA1", "FakeB2", "FakeC3", "FakeD4", "FakeE5"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    for kept in ["FakeLanguage1", "--verbose", "FakeWord3", "shop", "text/html1234567"] {
        assert!(text.contains(kept), "{kept} not in {text}");
    }
}

#[test]
fn json_inside_of_texts_is_looked_into() {
    let inner = json!({"password": "FakeA1", "nested": json!({"secret": "FakeB2x"}).to_string()}).to_string();
    let text = redactor().value(&json!({"body": inner})).value.to_string();
    assert!(!text.contains("FakeA1") && !text.contains("FakeB2x"), "{text}");
}

#[test]
fn numbers_booleans_and_null_stay() {
    let value = json!({
        "password": 5, "token": true, "secret": null, "max_tokens": 4096, "token_count": 120_000, "tokens": 120_000,
        "pin": 3, "pins": [1204, 1205], "password_length": 1024, "key": 123_456_789, "port": 54321, "otp": -120_000,
    });
    assert_eq!(redactor().value(&value).value, value);
}

#[test]
fn a_number_behind_the_name_of_a_secret_is_one() {
    let value = json!({
        "password": 83_920_175, "pin": 739_201, "card": {"cvv": 7392}, "token": 9_182_736_455_463_728_u64,
        "passwords": [4711, 5], "env": [{"name": "DB_PASSWORD", "value": 83_920_175}],
    });
    let redacted = redactor().value(&value);
    assert_eq!(kinds(&redacted.redactions).len(), 6, "{}", redacted.value);
    assert!(!redacted.value.to_string().contains("739201"), "{}", redacted.value);
    for text in
        ["PGPASSWORD=83920175 psql", "sshpass -p 83920175 ssh h", "wget --password=83920175 u", "a\npassword: 83920175"]
    {
        let redacted = redactor().text(text).text;
        assert!(!redacted.contains("83920175"), "{redacted}");
    }
    for text in ["docker run -p 8080:80 x", "mongo -p 27017", "pass=1204 fail=3", "password: 12 characters"] {
        assert_eq!(redactor().text(text).text, text);
    }
}

#[test]
fn what_is_hidden_in_a_text_is_hidden_in_every_text_made_from_it() {
    for line in [
        "echo Fake1Value9x | sudo -S apt-get update",
        "echo Fake1Value9x | docker login -u a --password-stdin",
        "echo Fake1Value9x | docker secret create x -",
        "echo 'ada:Fake1Value9x' | chpasswd",
        "printf 'Fake1Value9x' | gpg --passphrase-fd 0 x",
    ] {
        let arguments = json!({"command": line}).as_object().unwrap().clone();
        let redacted = redactor().arguments(&arguments);
        let knowing = redactor().knowing(&redacted.secrets);
        for made in [line.split_once(" |").unwrap().0, "It writes `Fake1Value9x`.", "allow = [\"echo Fake1Value9x*\"]"]
        {
            let text = knowing.text(made).text;
            assert!(!text.contains("Fake1Value9x"), "{line}: {text}");
            assert_eq!(knowing.text(&text).text, text);
        }
        assert!(!format!("{redacted:?}").contains("Fake1Value9x"));
    }
}

#[test]
fn what_is_shown_anyway_is_hidden_nowhere_and_short_secrets_leave_words_alone() {
    let knowing = |line: &str| {
        let arguments = json!({"command": line}).as_object().unwrap().clone();
        redactor().knowing(&redactor().arguments(&arguments).secrets)
    };
    // Otherwise a call could strike out what it runs.
    assert_eq!(knowing("echo curl9 | sudo -S true; curl9 x").text("curl9 x").text, "curl9 x");
    let short = knowing("echo let1 | sudo -S true");
    assert!(!short.text("echo let1").text.contains("let1"));
    assert_eq!(short.text("outlet1").text, "outlet1");
}

#[test]
fn what_lies_too_deep_is_redacted_as_a_whole() {
    let mut value = json!({"password": "FakeA1"});
    for _ in 0..10_000 {
        value = Value::Array(vec![value]);
    }
    let redacted = redactor().value(&value);
    assert_eq!(kinds(&redacted.redactions), ["too-deep"]);
    assert!(!redacted.value.to_string().contains("FakeA1"));
    // Dropping so deep a value would recurse as deeply.
    std::mem::forget(value);
}

#[test]
fn redacting_a_redacted_value_changes_nothing() {
    let value = json!({
        "password": "FakeA1", "argv": ["--token", "FakeTok3n"], "h": {"Cookie": "sid=FakeCookie1234; theme=dark"},
        "env": [{"name": "X_TOKEN", "value": "FakeTok3n"}], "cmd": ["mysql", "-pFakeC3"], "Authorization": "Basic RkFLRTpmYWtl"
    });
    let once = redactor().value(&value);
    let twice = redactor().value(&once.value);
    assert_eq!(once.value, twice.value);
    assert!(twice.redactions.is_empty());
}

#[test]
fn a_name_with_a_secret_in_it_says_the_same_before_and_after() {
    for name in ["TOKEN=%3D", "ghp_FAKEabcdefghij0123456789password-----BEGIN PRIVATE KEY-----"] {
        for value in [
            json!({"password": {"name": name, "value": "\nabcpassword"}}),
            json!({"password": {name: "\nabcpassword"}}),
            json!({"password": [name, "\nabcpassword"]}),
            json!({"password": ["-----BEGIN PRIVATE KEY-----TOKEN", "-----BEGIN PRIVATE KEY-----"]}),
            json!({"password": {"variable": "TOKEN FakeToken1x", "value": "-----BEGIN PRIVATE KEY-----"}}),
        ] {
            let once = redactor().value(&value).value;
            assert_eq!(once, redactor().value(&once).value, "{value}");
        }
    }
}

#[test]
fn what_a_mark_lays_bare_in_a_header_is_redacted_too() {
    let value = json!({"Cookie": "sshpass -p Fake1Value9x=]://a=b1c2d3e4f5;Fake1Value9x"});
    let once = redactor().value(&value).value;
    assert!(!once.to_string().contains("b1c2d3e4f5"), "{once}");
    assert_eq!(once, redactor().value(&once).value);
}

#[test]
fn a_pretended_mark_hides_nothing() {
    let redactor = redactor();
    for text in [
        "password=‹redacted:x:1:01234567›FakeA1b2",
        "password=‹redacted:FakeA1b2:1:01234567›",
        "‹redacted:password=FakeA1b2",
    ] {
        assert!(!redactor.text(text).text.contains("FakeA1b2"), "{text}");
    }
}

/// Texts that would take quadratic time were any place to be looked at again from each of many others.
#[test]
fn hostile_texts_are_redacted_in_bounded_time() {
    let redactor = redactor();
    for piece in [
        "a=",
        "pass=",
        "\"password\":",
        "://:@",
        "://a:b",
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\"",
        "---- BEGIN PRIVATE KEY----'",
        "-----BEGIN PRIVATE KEY-----...",
        "mysql -p'",
        "eyJ",
        "-eyJ",
        "eyJ.",
        "pass:",
        "pass:,",
        "password=\"",
        "password=\\\"",
        "cookie:",
        "cookie: a=",
        "authorization: bearer ",
        "token=file:",
        "key=data:image,",
        "pass",
        "'\"",
        "--token ",
        "[",
        "{\"a\":",
        "\\\"",
        "\\",
        "‹redacted:",
        "\u{1b}[",
        "mysql -p",
        "curl -u ",
        "echo a |",
        "identified by ",
        "%3Dtoken",
        "pass=$(",
        "<pass>",
        "PuTTY-User-Key-File-",
        "kind: Secret\ndata:\n",
        "password: |\n",
        "auth a0",
        "bearer a",
        "AKIA",
        ":AA",
        ".",
        "Q~",
        "pass='\\''",
        "token: ,",
        "echo ",
        "echo a|",
        "echo a | sudo -S | ",
        "chpasswd <<E\n",
        "sudo -S <<< ",
        "az ",
        "gh \"",
        "fly secrets set a=b ",
        "openssl passwd ",
        "password = \"\"\"",
        "password = <<E\n",
        "password = [[",
        "\"password\":{",
        "\"password\" {\"",
        "password:\n",
        "passwords:\n- ",
        "user,password\n",
        "user,password,",
        "|user|password\n|--",
        "<property name=\"password\">",
        "<password a='",
        "<key>password</key><string>",
        "value: a\nname: password\n",
        "pass\\u0077ord=",
        "\\u0070",
        "<input type=\"password\" ",
        "auth(\"a\", \"",
        "\"password\").fill(",
        "jwt.sign({",
        "password string = ",
        "? password\n: ",
        "\"\n",
        "(echo a; ",
        "echo a; ) ",
        "P=$(echo a ",
        "\"key\": \"password\", ",
        "|password|",
        "пароль",
        "密码：",
        "密码＝a1b2c3 ",
        "mot de passe : ",
    ] {
        let text = piece.repeat(64 * 1024 / piece.len());
        let _ = redactor.text(&text);
    }
}

fn plain_word() -> impl Strategy<Value = String> {
    proptest::string::string_regex("[a-z]{1,10}").unwrap()
}

/// Text with many of the pieces that mean something here.
fn pieces() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "password",
        "TOKEN",
        "apiKey",
        "secret",
        "=",
        ": ",
        ":",
        "\"",
        "'",
        "\\\"",
        "\\",
        " ",
        "\n",
        "--",
        "-p",
        "mysql ",
        "curl -u ",
        "Fake1Value9x",
        "x:y1z2w3",
        "Authorization",
        "Bearer ",
        "Cookie: ",
        "a=b1c2d3e4f5;",
        "://",
        "@",
        "/",
        "%3D",
        "?",
        "&",
        "{",
        "}",
        "[",
        "]",
        ",",
        ";",
        "|",
        "<",
        ">",
        "ghp_FAKEabcdefghij0123456789",
        "‹redacted:x:1:01234567›",
        "‹redacted:",
        "›",
        "\u{1b}[0m",
        "é",
        "-----BEGIN PRIVATE KEY-----",
        "\nabc",
        "$X",
        "value",
        "eyJhbGciOiJI.eyJzdWIiOiJm.FAKEfake",
        "name",
        "sshpass -p ",
        "echo ",
        " | chpasswd",
        " | sudo -S id",
        "chpasswd <<< ",
        "fly secrets set A=",
        "curl -sSfu",
        "\\u0077",
        "pass\\u0077ord",
        "value: ",
        "name: ",
        "\"\"\"",
        "[[",
        "user,password\n",
        "- ",
        "<key>",
        "</key><string>",
        "::",
        "**",
        "пароль",
        "密码",
        "：",
        "＝",
        "mot de passe",
        "#",
        "(",
        ")",
    ]);
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn any_json() -> impl Strategy<Value = Value> {
    let key = proptest::sample::select(vec![
        "password",
        "name",
        "value",
        "env",
        "Authorization",
        "Cookie",
        "tokens",
        "a",
        "type",
    ]);
    let leaf = prop_oneof![pieces().prop_map(Value::String), any::<i32>().prop_map(Value::from), Just(Value::Null)];
    leaf.prop_recursive(4, 24, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            proptest::collection::vec((key.clone(), inner), 0..5).prop_map(|entries| Value::Object(
                entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
            )),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_redacted_without_a_panic(text in any::<String>()) {
        let _ = redactor_once().text(&text);
    }

    #[test]
    fn redacting_twice_changes_nothing(text in pieces()) {
        let once = redactor_once().text(&text).text;
        let twice = redactor_once().text(&once);
        prop_assert_eq!(&once, &twice.text, "{}", text);
        prop_assert!(twice.redactions.is_empty());
    }

    #[test]
    fn redacting_json_twice_changes_nothing(value in any_json()) {
        let once = redactor_once().value(&value).value;
        prop_assert_eq!(&once, &redactor_once().value(&once).value, "{}", value);
    }

    #[test]
    fn plain_words_stay(words in proptest::collection::vec(plain_word(), 0..40)) {
        let text = words.join(" ");
        prop_assert_eq!(&redactor_once().text(&text).text, &text);
    }

    #[test]
    fn a_token_is_found_wherever_it_stands(
        before in any::<String>(), after in any::<String>(),
        token in proptest::sample::select(vec![
            "ghp_FAKEabcdefghijklmnopqrstuvwxyz012345", "glpat-FAKEabcdef0123456789", "sk-ant-api03-FAKEabcdefghijklmnop0123456789",
            "xoxb-123456789012-123456789012-FAKEabcdefghijklmnop", "AIzaFAKEabcdefghijklmnopqrstuvwxyz01234", "AKIAFAKEABCDEFGHIJKL",
            "npm_FAKEabcdefghijklmnopqrstuvwxyz012345", "SG.FAKEabcdefghijklmnop12.FAKEabcdefghijklmnopqrstuvwxyz0123456789abcde", "sk_live_FAKEabcdefghij0123456789",
        ]),
    ) {
        let redacted = redactor_once().text(&format!("{before}{token}{after}")).text;
        prop_assert!(!redacted.contains(token), "{}", redacted);
    }
}

/// One redactor for all cases of the properties: compiling it is slow without optimization.
fn redactor_once() -> &'static Redactor {
    static REDACTOR: std::sync::OnceLock<Redactor> = std::sync::OnceLock::new();
    REDACTOR.get_or_init(redactor)
}
