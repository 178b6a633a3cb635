use super::*;

#[test]
fn show() {
    let text = r#"version = 1
presett = "strict"
unknown_tools = "alow"
timeout = "soon"
timeout = "5m"
trusted_servers = [1]
[risk]
write = 3

[[rule]]
patern = "x"
action = "allow"

[[rule]]
tool = "shell"
command = ""
action = "alow"
final = true

[[rule]]
action = "deny"

[[rule]]
path = ["../x", "a[", "~bob"]
path_in = "here"
projects = "work"
risk = "high"
expires = "tomorrow"
arguments = { "x" = "y" }
action = "allow"
final = true

[redaction]
patterns = [{ name = "x", regex = "(" }, { regex = "" }]
[agent.a]
rules = []
"#;
    for d in parse(text).unwrap_err() {
        println!("{} {d} {:?}", d.code, &text[d.span.clone()]);
    }
    println!("{:?}", parse("version = \n[[[").unwrap_err());
}
