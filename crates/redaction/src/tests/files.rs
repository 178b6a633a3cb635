//! Secrets in the files of programs: data, settings, documents.

use super::{hides, shows};

#[test]
fn yaml() {
    hides(&[
        "password: !!str SECRET",
        "password: !!str \"SECRET\"",
        "password:\n  \"SECRET\"",
        "password:\n  SECRET\nuser: ada",
        "db:\n  password:\n    'SECRET'\n  user: ada",
        "passwords:\n  - SECRET",
        "passwords:\n  - \"SECRET\"\n  - SECRET\nuser: ada",
        "passwords:\n- SECRET",
        "env:\n  - value: SECRET\n    name: DB_PASSWORD",
        "env:\n  - value: \"SECRET\"\n    name: DB_PASSWORD",
        "[{\"value\": \"SECRET\", \"name\": \"DB_PASSWORD\"}]",
        "? password\n: SECRET",
    ]);
    shows(&[
        "password:\n  type: string\n  minLength: 8",
        "passwords:\n  - type: string",
        "password:\n  description: The password that is used1",
        "passwords:\n  minimum: 8",
        "env:\n  - value: Production1\n    name: ENVIRONMENT",
        "- value: Production1\n- name: DB_PASSWORD",
        "tokens:\n  - comma\n  - semicolon",
        "Password:\n  The password of the user.",
        "? password\n: what is it",
    ]);
}

#[test]
fn toml_properties_and_pgpass() {
    hides(&[
        "password = \"\"\"\nSECRET\"\"\"",
        "password = \"\"\"SECRET\"\"\"",
        "password = '''SECRET'''",
        "password = '''\nSECRET'''\nuser = 'ada'",
        "db.password=\\\n  SECRET",
        "db.password = \\\n    SECRET\ndb.user = ada",
        "[::1]:5432:shop:ada:SECRET",
        "::1:5432:shop:ada:SECRET",
        "fe80\\:\\:1:5432:shop:ada:SECRET",
        "localhost:5432:sh\\:op:ada:SECRET",
    ]);
    shows(&["password = \"\"\"\"\"\"", "password = ''''''", "db.password=\\\n", "12:30:45:10:99", "a::b:c:d:e"]);
}

#[test]
fn xml_and_html() {
    hides(&[
        "<password><![CDATA[SECRET]]></password>",
        "<wsse:Password Type=\"x#PasswordText\">SECRET</wsse:Password>",
        "<property name=\"connection.password\">SECRET</property>",
        "<entry key=\"db.password\">SECRET</entry>",
        "<key>Password</key>\n<string>SECRET</string>",
        "<key>apiToken</key><string>SECRET</string>",
        "<string name=\"api_key\">SECRET</string>",
        "<Password><Value>SECRET</Value></Password>",
        "<Password>\n  <Value>SECRET</Value>\n</Password>",
        "<meta-data android:name=\"com.x.API_KEY\" android:value=\"SECRET\" />",
        "<input type=\"password\" value=\"SECRET\">",
        "<input type=\"password\" name=\"p\" value='SECRET'>",
        "<input name=\"p\" value=\"SECRET\" type=\"password\">",
    ]);
    shows(&[
        "<input type=\"password\" value=\"\">",
        "<input type=\"password\" name=\"user1name\" placeholder=\"Passw0rd here\">",
        "<input type=\"text\" value=\"Ada12345\"><input type=\"password\">",
        "<label for=\"password\">Password1</label>",
        "<string name=\"password_hint\">At least 8 characters</string>",
        "<string name=\"password\">Password</string>",
        "<string name=\"forgot_password\">Forgot your password?</string>",
        "<Password><Description>Eight letters1</Description></Password>",
        "<a href=\"/password\">Reset1</a>",
        "<key>Password</key><string>Wrong Password1</string>",
        "tool -p <password> [-C <file1.pem>] and <x>",
        "a <requests.cookies.Jar1> b c2 d <Other>",
        "<Arg name=\"clientSecret\"><Property name=\"jetty.openid.clientSecret9\"/></Arg>",
        "'<Secret name={name} '\n'version={version}>'.format(a1, b2)\nx = 'Other1'",
        "<input type=\"submit\" value=\"Change\" name=\"password\">",
        "<meta-data android:name=\"com.x.NAME\" android:value=\"Value12345\" />",
    ]);
}

#[test]
fn tables() {
    hides(&[
        "user,password\nada,SECRET",
        "user,password,role\nada,SECRET,admin\nbob,SECRET,user",
        "\"user\",\"password\"\n\"ada\",\"SECRET\"",
        "user;password\nada;SECRET",
        "user\tpassword\nada\tSECRET",
        "| User | Password |\n|------|----------|\n| ada  | SECRET |",
        "| User | Password | Role |\n| --- | :---: | --- |\n| ada | `SECRET` | admin |\n| bob | SECRET | user |",
    ]);
    shows(&[
        "user,password_reset_at\nada,2024-01-01T12:00:00Z",
        "user,password\nada,",
        "name, password, and email\nare what you need1, really1, today1",
        "| Option | Password |\n|---|---|\n| x | required |",
        "| Password |\n| see Chapter1 |",
        "| Setting | Meaning |\n|---|---|\n| password | see 12.3 |",
        "apt\tbash\t5.2.15-2\napt\tbase-passwd\t3.6.1\napt\tBinutils1\t2.40-2",
        "apt\tbase-passwd\t3.6.1\napt\tBinutils1\t2.40-2",
        "SELECT user,password\nFROM users,Roles1",
        "call(user, password)\ncall(Ada1, Bob2)",
        "let user, password;\nlet Ada1, Bob2;",
    ]);
}

#[test]
fn markdown() {
    hides(&[
        "**Password:** SECRET",
        "**Password**: SECRET",
        "- **Password**: `SECRET`",
        "* __Password:__ `SECRET`",
        "Password: `SECRET`",
    ]);
    shows(&[
        "**Password:** see the vault",
        "**Password**: the password of the user",
        "- **Token**: a short text",
        "## Password: how to change it",
        "**Password:** `$PASSWORD`",
    ]);
}

#[test]
fn terraform() {
    hides(&[
        "variable \"db_password\" {\n  default = \"SECRET\"\n}",
        "variable \"db_password\" {\n  type = string\n  default = \"SECRET\"\n}",
        "variable \"db_password\" {\n  description = \"of x\"\n  sensitive = true\n  default     = \"SECRET\"\n}",
        "{\"outputs\":{\"db_password\":{\"value\":\"SECRET\",\"type\":\"string\"}}}",
        "\"db_password\": {\n  \"value\": \"SECRET\"\n}",
        "\"db_password\": {\n  \"sensitive\": true,\n  \"type\": \"string\",\n  \"value\": \"SECRET\"\n}",
        "password = <<EOT\nSECRET\nEOT",
        "password = <<-EOT\n    SECRET\n  EOT\nuser = \"ada\"",
    ]);
    shows(&[
        "variable \"db_password\" {\n  type = string\n}\nvariable \"x\" {\n  default = \"Value12345\"\n}",
        "variable \"password_length\" {\n  default = \"Sixteen16\"\n}",
        "\"db_password\": {\"type\": \"string\"}, \"other\": {\"value\": \"Value12345\"}",
        "variable \"db_password\" { default = \"\" }",
    ]);
}
