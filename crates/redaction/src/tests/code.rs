//! Secrets in source code.

use super::{hides, shows};

#[test]
fn calls_with_a_password() {
    hides(&[
        "requests.get(url, auth=(\"ada\", \"SECRET\"))",
        "requests.get(url, auth=('ada', 'SECRET'))",
        "auth = HTTPBasicAuth(\"ada\", \"SECRET\")",
        "os.getenv(\"DB_PASSWORD\", \"SECRET\")",
        "os.environ.get('DB_PASSWORD', 'SECRET')",
        "password = os.getenv(\"DB_PASSWORD\", \"SECRET\")",
        "password = (\n    \"SECRET\")",
        "password = (\n    \"SECRET\"\n)",
        "ENV[\"DB_PASSWORD\"] ||= \"SECRET\"",
        "ENV.fetch(\"DB_PASSWORD\", \"SECRET\")",
        "req.SetBasicAuth(\"ada\", \"SECRET\")",
        "client.get(url).basic_auth(\"ada\", Some(\"SECRET\"))",
        "let password = r#\"SECRET\"#;",
        "let password = SecretString::new(\"SECRET\".into());",
        "let password = SecretString::new(\"SECRET\".to_owned().into_boxed_str());",
        "self._test_passwords(\"\"\"\\\n machine h login log password SECRET account acct\n\"\"\", 'x')",
        "page.getByLabel(\"Password\").fill(\"SECRET\")",
        "await page.fill('#password', 'SECRET')",
        "page.locator(\"input[name=password]\").type(\"SECRET\")",
        "crypto.createHmac(\"sha256\", \"SECRET\")",
        "jwt.sign(payload, \"SECRET\")",
        "jwt.sign({ id: 1 }, 'SECRET', { expiresIn: '1h' })",
        "jwt.verify(token, \"SECRET\")",
        "jwt.encode(payload, \"SECRET\", algorithm=\"HS256\")",
    ]);
    shows(&[
        "auth=(\"ada\", password)",
        "auth=(user, os.environ[\"PW1\"])",
        "os.getenv(\"DB_PASSWORD\", default)",
        "os.getenv(\"DB_PASSWORD\", \"\")",
        "os.getenv(\"LANG\", \"german12345\")",
        "req.SetBasicAuth(user, pass1)",
        "client.basic_auth(\"ada\", Some(password))",
        "Credentials(\n    \"token1\", \"client_id1\")",
        "token = parse(\n    \"Some1Text2WithNumbers3\"\n)",
        "page.getByLabel(\"Password\").fill(password)",
        "page.getByLabel(\"Name\").fill(\"Ada12345\")",
        "page.getByLabel(\"Password\").click(); page.getByLabel(\"Name\").fill(\"Ada12345\")",
        "crypto.createHmac(\"sha256\", key)",
        "jwt.sign(payload, process.env.JWT_SECRET)",
        "jwt.sign(payload, privateKey, { algorithm: \"RS256\" })",
        "HTTPBasicAuth(\"username\", \"password\")",
        "expect(page.getByLabel(\"Password\")).toHaveValue(value1)",
    ]);
}

#[test]
fn assignments_in_other_languages() {
    hides(&[
        "local password = [[SECRET]]",
        "password = [==[SECRET]==]",
        "password <- \"SECRET\"",
        "Dim password As String = \"SECRET\"",
        "Const PASSWORD As String = \"SECRET\"",
        "param adminPassword string = 'SECRET'",
        "key \"rndc-key\" {\n  algorithm hmac-sha256;\n  secret \"SECRET\";\n};",
        "user ada on >SECRET ~*",
        "{\"pass\\u0077ord\": \"SECRET\"}",
        "{\"\\u0070assword\": \"SECRET\"}",
    ]);
    shows(&[
        "local password = [[]]",
        "password <- readline()",
        "if (password <- 5) {",
        "Dim password As String",
        "Dim password As String = Environment.GetVariable1(x)",
        "param adminPassword string",
        "@secure()\nparam adminPassword string\n",
        "a secret \"thing\" of ours",
        "{\"n\\u0061me\": \"Ada12345\"}",
        "password: [[link1]]",
    ]);
}

#[test]
fn an_attribute_in_base64() {
    let text = "dn: cn=ada\nuserPassword:: VmIzU05NTFF0NndGJFF3bg==\ncn: ada";
    assert!(!super::redactor().text(text).text.contains("VmIz"));
    shows(&["password :: Text", "password:: String", "password::Hash1234567890", "pub use password:: Password1;"]);
}
