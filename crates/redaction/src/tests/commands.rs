//! Secrets in the words of commands.

use super::{hides, shows};

#[test]
fn a_quote_behind_an_option_opens_its_value_or_ends_an_item() {
    hides(&[
        "mongosh -p'SECRET' x",
        "mongosh -p\"SECRET\" x",
        "sshpass -p'SECRET' ssh h",
        r#"{"command": "mongosh -p\"SECRET\" x"}"#,
        r#"["mongosh", "-p", "SECRET"]"#,
        r#"['mongosh', '-p', 'SECRET']"#,
        r#"["mongosh","-p","SECRET","shop"]"#,
    ]);
    shows(&[r#"["docker", "run", "-p", "8080:80"]"#, "docker run -p \"8080:80\" x", "mongosh -p\"$PASSWORD\" x"]);
}

#[test]
fn options_with_a_secret() {
    hides(&[
        "ldapsearch -wSECRET -x",
        "ldapsearch -x -w SECRET -b dc=x",
        "curl --cert c.pem:SECRET https://example.com/",
        "curl -E c.pem:SECRET https://example.com/",
        "curl -sE './c.pem:SECRET' https://example.com/",
        "security add-generic-password -a ada -s x -w SECRET",
        "security unlock-keychain -p SECRET login.keychain",
        "openssl dgst -sha256 -hmac SECRET file",
        "usermod -p 'SECRET' ada",
        "influx -t SECRET query x",
        "cqlsh -u ada -p SECRET host",
        "slappasswd -h {SSHA} -s SECRET",
    ]);
    shows(&[
        "security find-generic-password -s x -w login.keychain",
        "curl --cert ./client.pem --key ./client.key https://example.com/",
        "curl --cert C:\\certs\\c.pem https://example.com/",
        "curl -E pkcs11:token=x https://example.com/",
        "openssl dgst -sha256 file",
        "usermod -aG docker ada",
        "wget -E http://example.com:8080/Page1",
        "curl -E https://example.com:8080/Page1",
    ]);
}

#[test]
fn flags_written_together_before_the_option() {
    hides(&[
        "curl -sSfuada:SECRET https://example.com/",
        "curl -uada:SECRET https://example.com/",
        "curl -sSLu ada:SECRET https://example.com/",
        "curl -kfsSLu 'ada:SECRET' https://example.com/",
        "zip -eP SECRET a.zip a",
        "zip -rP SECRET a.zip a",
        "unzip -oP SECRET a.zip",
        "zip -ePSECRET a.zip a",
    ]);
    shows(&[
        "curl -fsSLoutput:file https://example.com/",
        "curl -sSfH accept:text/html1 https://example.com/",
        "zip -r Archive1.zip Project1",
        "curl -Lo out:put1 https://example.com/",
    ]);
}

#[test]
fn a_secret_that_is_printed_into_a_program_that_reads_one() {
    hides(&[
        "echo SECRET | sudo -S apt-get update",
        "echo 'SECRET' | sudo -S apt-get update",
        "echo \"SECRET\" | sudo --stdin id",
        "printf '%s\\n' SECRET | sudo -kS id",
        "printf 'SECRET\\n' | sudo -kS id",
        "echo SECRET|sudo -S id",
        "echo SECRET | sudo -S -p '' id",
        "echo 'ada:SECRET' | chpasswd",
        "echo ada:SECRET | sudo chpasswd -e",
        "printf 'ada:%s' SECRET | chpasswd",
        "printf '%s:%s\\n' ada SECRET | sudo chpasswd",
        "echo SECRET | docker login --password-stdin",
        "echo SECRET | docker login -u ada --password-stdin ghcr.io",
        "echo -n SECRET | docker secret create x -",
        "printf SECRET | docker secret create x -",
        "echo SECRET | podman secret create x -",
        "echo SECRET | gh secret set X",
        "echo SECRET | gh auth login --with-token",
        "echo SECRET | vercel env add X production",
        "echo SECRET | npx wrangler secret put X",
        "echo -n SECRET | gcloud secrets create x --data-file=-",
        "echo -n SECRET | gcloud secrets versions add x --data-file=-",
        "echo SECRET | passwd --stdin ada",
        "echo -e 'SECRET\\nSECRET' | passwd ada",
        "echo SECRET | kinit ada@EXAMPLE.COM",
        "echo SECRET | cryptsetup luksOpen /dev/sda1 x",
        "echo -n SECRET | sudo cryptsetup open /dev/sda1 x -",
        "echo SECRET | gpg --batch --passphrase-fd 0 -d x",
        "echo SECRET | pass insert -e mail",
        "echo SECRET | base64 | docker secret create x -",
        "ssh host \"echo SECRET | sudo -S id\"",
        "ssh host \"echo 'SECRET' | sudo -S id\"",
        r#"{"command": "echo \"SECRET\" | sudo -S id"}"#,
        r#"{"command": "printf '%s' 'SECRET' | docker login --password-stdin"}"#,
        "echo SECRET | \\\n  sudo -S id",
        "cd x && echo SECRET | sudo -S id",
        "sudo -S id <<< SECRET",
        "sudo -S id <<<'SECRET'",
        "docker login -u ada --password-stdin <<< \"SECRET\"",
        "chpasswd <<< 'ada:SECRET'",
        "kinit ada <<< SECRET",
        "gh secret set X <<< SECRET",
        "cryptsetup open /dev/sda1 x <<< SECRET",
        "docker secret create x - <<EOF\nSECRET\nEOF",
        "printf %s SECRET | vault login -",
    ]);
    shows(&[
        "echo hello | docker build -",
        "echo hello | sudo tee /etc/motd",
        "echo \"password is wrong\" >&2",
        "echo hello | git hash-object --stdin",
        "echo y | sudo apt-get install x",
        "echo \"$PASSWORD\" | sudo -S id",
        "echo ${PASSWORD} | docker login --password-stdin",
        "cat <<< hello",
        "echo y | cryptsetup luksFormat /dev/sda1",
        "echo start; cat key.pem | docker secret create x -",
        "echo hello > x; sudo -S id",
        "echo hello || sudo -S id",
        "echo 'use sudo -S here' | wc -l",
        "echo hello | grep sudo -S",
        "printf '%s\\n' \"$PASSWORD\" | sudo -S id",
        "vercel env add X production",
        "| gh secret set | sets a secret |",
        "cryptsetup open /dev/sda1 x < keyfile",
    ]);
}

#[test]
fn commands_that_store_a_secret() {
    hides(&[
        "az keyvault secret set --vault-name v --name n --value SECRET",
        "az keyvault secret set --vault-name v --name n --value 'SECRET'",
        "az keyvault secret set --value=SECRET --vault-name v",
        "aws cloudformation deploy --parameters ParameterKey=DBPassword,ParameterValue=SECRET",
        r#"[{"ParameterKey": "DBPassword", "ParameterValue": "SECRET"}]"#,
        "pulumi config set --secret k SECRET",
        "pulumi config set k SECRET --secret",
        "dotnet user-secrets set \"Db:Password\" SECRET",
        "dotnet user-secrets set \"Db:Password\" \"SECRET\"",
        "poetry config pypi-token.pypi SECRET",
        "gh variable set API_TOKEN --body SECRET",
        "openssl passwd SECRET",
        "openssl passwd -6 -salt abc 'SECRET'",
        "kubectl create secret generic x --from-literal=anything=SECRET",
        "kubectl -n y create secret generic x --from-literal anything='SECRET'",
        "kubectl create secret generic x --from-literal=user=ada --from-literal='anything=SECRET'",
        "vault kv put secret/x anything=SECRET",
        "vault kv put -mount=secret x anything=\"SECRET\"",
        "fly secrets set ANY=SECRET",
        "flyctl secrets set A='SECRET' -a app",
        r#"{"command": "fly secrets set ANY=\"SECRET\""}"#,
        "bash -c 'fly secrets set ANY=SECRET'",
    ]);
    shows(&[
        "az keyvault secret show --vault-name v --name n",
        "az keyvault secret set --vault-name v --name n --value \"$VALUE\"",
        "pulumi config set aws:region eu-central-1",
        "dotnet user-secrets list",
        "gh variable set LANGUAGE --body german123",
        "openssl passwd -6",
        "openssl passwd -6 -in file.txt",
        "kubectl create configmap x --from-literal=color=blue123",
        "kubectl create secret generic x --from-file=ssh=./id",
        "vault kv put secret/x username=ada @data.json",
        "vault kv get secret/x",
        "fly secrets list",
        "Use fly secrets set to set them.",
        "aws cloudformation deploy --parameters ParameterKey=Size,ParameterValue=Large12345",
    ]);
}

#[test]
fn statements_with_a_password() {
    hides(&[
        "mysql -e \"SET PASSWORD FOR 'ada'@'%' = 'SECRET'\"",
        "SET PASSWORD = 'SECRET';",
        "SET PASSWORD FOR ada = PASSWORD('SECRET');",
        "SET PASSWORD FOR 'ada'@'localhost' TO 'SECRET';",
        "CREATE USER ada IDENTIFIED BY 'SECRET';",
        "ALTER USER 'ada'@'%' IDENTIFIED WITH mysql_native_password BY 'SECRET';",
        "CREATE USER ada WITH PASSWORD 'SECRET';",
        "INSERT INTO users VALUES ('ada', crypt('SECRET', gen_salt('bf')));",
        "redis-cli ACL SETUSER ada on '>SECRET' ~* +@all",
        "ACL SETUSER ada >SECRET",
        "user ada on >SECRET ~* +@all",
    ]);
    shows(&[
        "SET PASSWORD for the user and see what happens",
        "SELECT crypt($1, salt)",
        "user ada > file1",
        "encrypt('Data12345', key)",
        "grep user ada on >out1.txt.bak",
    ]);
}

#[test]
fn arguments_of_commands_that_store_a_secret() {
    let secret = super::PASSWORD;
    for arguments in [
        serde_json::json!(["vault", "kv", "put", "secret/x", format!("anything={secret}")]),
        serde_json::json!([
            "sudo",
            "kubectl",
            "create",
            "secret",
            "generic",
            "x",
            format!("--from-literal=a={secret}")
        ]),
        serde_json::json!(["/usr/bin/az", "keyvault", "secret", "set", "--value", secret]),
        serde_json::json!([{"ParameterKey": "DBPassword", "ParameterValue": secret}]),
    ] {
        let redacted = super::redactor().value(&arguments).value;
        assert!(!redacted.to_string().contains(secret), "{redacted}");
        assert_eq!(super::redactor().value(&redacted).value, redacted);
    }
    let kept = serde_json::json!(["vault", "kv", "get", "secret/x", "-field=Anything1"]);
    assert_eq!(super::redactor().value(&kept).value, kept);
}
