use crate::project_code::families::FAMILIES;
use crate::project_code::files::{Content, Findings};
use crate::project_code::settings::NotUnderstood;

fn look(family: &str, file: &str, text: &str) -> Result<Findings, NotUnderstood> {
    let family = FAMILIES.iter().find(|known| known.name == family).unwrap();
    let file = family.files.iter().find(|known| known.name == file).unwrap();
    match file.content {
        Content::Any | Content::Named(_) => Ok(Findings { names: vec!["it is there".to_owned()], further: Vec::new() }),
        Content::Found(find) => find(text),
    }
}

/// What runs something, and what cannot be told.
const RUN: &[(&str, &str, &str)] = &[
    ("yarn", ".yarnrc", "yarn-path \"./x.js\"\n"),
    ("yarn", ".yarnrc", "\"yarn\\u002dpath\" \"./x.js\"\n"),
    ("yarn", ".yarnrc.yml", "{ \"yarnPath\": ./x }"),
    ("yarn", ".yarnrc.yml", "\"yarn\\u0050ath\": ./x"),
    ("yarn", ".yarnrc.yml", "? \"yarn\\\n  Path\"\n: ./x.cjs\n"),
    ("yarn", ".yarnrc.yml", "a: &b yarnPath\n*b : ./x\n"),
    ("yarn", "package.json", "{\"packageManager\": \"yarn@https://evil/x.js\"}"),
    ("yarn", "package.json", "{\"package\\u004danager\": \"yarn@https://evil/x.js\"}"),
    ("pnpm", ".npmrc", "pnpmfile=./x.js"),
    ("pnpm", ".npmrc", "pnpmfil${X-e}=./x.cjs"),
    ("pnpm", ".npmrc", "registry=http://evil"),
    ("pnpm", "pnpm-workspace.yaml", "pnpmfile  : ./x.cjs\n"),
    ("pnpm", "pnpm-workspace.yaml", "registries:\n  default: http://evil.example/\n"),
    ("pnpm", "pnpm-workspace.yaml", "script-shell: ./x\n"),
    ("npm", ".npmrc", "git=./x"),
    ("npm", ".npmrc", "  \"git\" = ./x"),
    ("npm", ".npmrc", "\"gi\\u0074\" = ./x"),
    ("npm", ".npmrc", "gi${NOPE?}t=./x"),
    ("npm", ".npmrc", "node-options[]=--require ./x"),
    ("npm", ".npmrc", "registry=https://evil/${HOME}/"),
    ("npm", ".npmrc", "logs-dir=../../home"),
    ("npm", ".npmrc", "cache=${HOME}/.ssh"),
    ("npm registry", ".npmrc", "registry=https://evil.example/"),
    ("npm registry", ".npmrc", "@a:registry = https://evil.example/"),
    ("npm registry", ".npmrc", "@a:regist${NOPE?}ry=https://evil.example/"),
    ("npm connection", ".npmrc", "https-proxy=http://evil.example:1"),
    ("npm connection", ".npmrc", "strict-ssl=false"),
    ("rustup", "rust-toolchain.toml", "[toolchain]\npath = \"x\""),
    ("rustup", "rust-toolchain", "[toolchain]\n\"pa\\u0074h\" = \"x\""),
    ("rustup", "rust-toolchain", "../x"),
    ("go", "go.mod", "module a\ntoolchain go1.22.0-mine"),
    ("go", "go.mod", "module a\ntoolchain \"go1.22.0\\x2dmine\""),
    ("gradle", "gradle.properties", "org.gradle.jvmargs=-javaagent:x.jar"),
    ("gradle", "gradle.properties", "org.gradle.java.h\\ome=./x"),
    ("gradle", "gradle.properties", "org.gradle.java.ho\\\n  me=./x"),
    ("gradle", "gradle.properties", "org.gradle.jvmargs=-java\\agent:x.jar"),
    ("dotnet", "global.json", "{\"sdk\": {\"pa\\u0074hs\": [\".x\"]}}"),
    ("compose", ".env", "export\tDOCKER_HOST=ssh://x"),
    ("compose", ".env", "COMPOSE_ENV_FILES=x.env"),
    ("compose", "compose.yaml", "include:\n  - https://evil.example/x.git\n"),
    ("compose", "compose.yaml", "? include\n: - oci://evil.example/x\n"),
    ("compose", "compose.yaml", "include\t: [ 'oci://evil.example/x' ]\n"),
    ("compose", "compose.yaml", "!!binary aW5jbHVkZQ==: [ 'oci://evil.example/x' ]\n"),
    ("compose", "compose.yaml", "# x\u{2028}include: [ 'oci://evil.example/x' ]\n"),
    ("compose", "compose.yaml", "services:\n  a:\n    extends:\n      file: oci://evil.example/x\n"),
    ("compose", "compose.yaml", "services:\n  a:\n    extends:\n      file: github.com/evil/x.yml\n"),
    ("compose", "compose.yaml", "services:\n  a:\n    extends:\n      file: me@evil.example:x\n"),
    ("compose", "compose.yaml", "x: &b {file: 'oci://e/x'}\nservices:\n  a:\n    extends: *b\n"),
    ("compose", "compose.yaml", "x: &b {file: 'oci://e/x'}\nservices:\n  a:\n    extends: {<<: *b}\n"),
    ("cargo", ".cargo/config.toml", "[source.crates-io]\nreplace-with = \"x\""),
    ("cargo", ".cargo/config.toml", "[ registry ]\ndefault\t= \"x\""),
    ("cargo", ".cargo/config.toml", "registry . default  = \"x\""),
    ("cargo", ".cargo/config.toml", "registry = { 'default'  = \"x\" }"),
    ("cargo", ".cargo/config.toml", "[http]\nproxy = \"x\""),
    ("cargo", ".cargo/config.toml", "[build]\n\"rustc\\u002dwrapper\" = \"./x\""),
    ("cargo", ".cargo/config.toml", "[env]\nRUSTC_BOOTSTRAP = \"1\""),
    ("cargo", ".cargo/config.toml", "include = \"x.toml\""),
    ("cargo", ".cargo/config.toml", "[build]\nrustflags = [\"-Z\", \"codegen-backend=./x.so\"]"),
    ("composer", "composer.json", "{\"scripts\": {\"pre-command-run\": \"./x\"}}"),
    ("composer", "vendor/composer/installed.json", "{\"packages\": [{\"type\": \"composer-plugin\"}]}"),
    (
        "terraform",
        ".terraform/terraform.tfstate",
        "{\"backend\": {\"type\": \"http\", \"config\": {\"address\": \"http://e\"}}}",
    ),
    (
        "terraform",
        ".terraform/terraform.tfstate",
        "{\"backend\": {\"type\": \"s3\", \"config\": {\"endpoint\": \"http://e\"}}}",
    ),
    ("terraform", "*.tf", "terraform {\n  backend \"kubernetes\" {\n    config_path = \"./k\"\n  }\n}\n"),
    ("terraform", "*.tf", "terraform { backend http { } }\n"),
    ("terraform", "*.tf", "terraform {\n  cloud {\n    hostname = \"evil.example\"\n  }\n}\n"),
    ("terraform", "*.tf", "terraform {\n  backend /* s3 */ \"http\" {\n  }\n}\n"),
    ("terraform", "*.tf.json", "{\"terraform\": {\"back\\u0065nd\": {\"http\": {\"address\": \"http://e\"}}}}"),
    ("mercurial", ".hg/hgrc", "[extensions]\nx = ./evil.py\n"),
    ("mercurial", ".hg/hgrc", "%include ../x\n"),
    ("mercurial", ".hg/hgrc", "[paths]\n%include ../x\n"),
    ("mercurial", ".hg/hgrc", "[paths]\ndefault = x\r[extensions]\rx = ./evil.py\n"),
    ("terraform", ".terraform/terraform.tfstate", r#"{"Backend": {"Type": "http"}}"#),
    ("terraform", ".terraform/terraform.tfstate", r#"{"bac\u212Aend": {"type": "http"}}"#),
    ("terraform", ".terraform/terraform.tfstate", r#"{"backend": {"type": "http"}, "backend": {"type": "s3"}}"#),
    ("terraform", ".terraform/terraform.tfstate", r#"{"backend": {"type": "http"}, "backend": {}}"#),
    ("terraform", "*.tf", "terraform {\n  backend /*\n*/ \"kubernetes\" {\n  }\n}\n"),
    ("terraform", "*.tf", "terraform {\n  backend \"kubernetes\" /* a\nb */ {\n  }\n}\n"),
    ("terraform", "*.tf", "terraform {\n  backend /* x */ \"remote\" {\n    hostname = \"e\"\n  }\n}\n"),
    ("yarn", ".yarnrc", "foo, yarn-path \"./x.js\"\n"),
    ("yarn", ".yarnrc", "{ \"yarn-path\": \"./x.js\" }\n"),
    ("yarn", ".yarnrc", "? yarn-path\n: ./x.js\n"),
    ("yarn registry", ".yarnrc", "https-proxy \"http://e\"\n"),
    ("yarn registry", ".yarnrc", "strict-ssl false\n"),
    ("yarn registry", ".npmrc", "registry=http://e/${TOKEN}/\n"),
    ("yarn registry", ".yarnrc.yml", "npmScopes:\n  a:\n    npmRegistryServer: \"${X}\"\n"),
    ("yarn registry", ".yarnrc.yml", "httpsProxy: http://e\n"),
    ("npm connection", ".npmrc", "https-proxy=http://e\n"),
    ("npm connection", ".npmrc", "strict-ssl = false\n"),
    ("pnpm", ".npmrc", "https-proxy=http://e\n"),
    ("versions", "mise.toml", "[tasks.x]\ndescription = \"{{exec(command='./x')}}\"\n"),
    ("yamllint", ".yamllint", "extends: /home/ann/.aws/credentials\n"),
    ("darcs", "_darcs/prefs/defaults", "ALL posthook ./x\nALL run-posthook\n"),
    ("pijul", ".pijul/config", "[hooks]\nrecord = [\"./x\"]\n"),
    ("jujutsu", ".jj/repo/config.toml", "ui . pager = \"./x\"\n"),
    ("trivy", "trivy.yaml", "output  : ../../home/.bashrc\n"),
    ("trivy", "trivy.yaml", "x: &a {output: x}\n<<: *a\n"),
    ("versions", "mise.toml", "[env]\n_.source = \"./x.sh\""),
    ("versions", "mise.toml", "[env]\n_ . source\t= \"./x.sh\"\n"),
    ("versions", "mise.toml", "[env._]\nsource\t= \"./x.sh\"\n"),
    ("versions", "mise.toml", "[ hooks ]\nenter = \"./x\"\n"),
    ("versions", "mise.toml", "[env]\nA = \"{{ exec (command='./x') }}\"\n"),
    ("versions", "mise.toml", "[env]\n\"LD_\\u0050RELOAD\" = './x.so'\n"),
    ("versions", "mise.toml", "[tools]\nnode = \"path:./x\"\n"),
    ("versions", "mise.toml", "[plugins]\nnode = \"https://evil.example/x\"\n"),
    ("versions", "mise.toml", "[env\n"),
    ("versions", ".prototools", "[plugins]\nnode = \"file://./x.wasm\"\n"),
    ("versions", ".tool-versions", "nodejs path:./x"),
    ("versions", ".tool-versions", "node {{ exec(command='./x') }}"),
    ("versions", ".python-version", "../../x"),
    ("versions", ".opentofu-version", "/tmp/x"),
];

/// Files as ordinary projects have them.
const ORDINARY: &[(&str, &str, &str)] = &[
    ("yarn", ".yarnrc", "registry \"https://x\"\n\"@a:registry\" \"https://x\"\n"),
    ("yarn", ".yarnrc.yml", "nodeLinker: node-modules\nnpmScopes:\n  a:\n    npmRegistryServer: \"${X}\"\n"),
    ("yarn", "package.json", "{\"packageManager\": \"yarn@4.9.1+sha512.ab\", \"homepage\": \"https://x\"}"),
    (
        "pnpm",
        "pnpm-workspace.yaml",
        "packages:\n  - apps/*\nonlyBuiltDependencies:\n  - esbuild\ncatalog:\n  react: ^19\n",
    ),
    (
        "npm",
        ".npmrc",
        "engine-strict=true\n# git=x\n//npm.pkg.github.com/:_authToken=${GITHUB_TOKEN}\n@a:registry=https://npm.pkg.github.com\ncache=.npm\n",
    ),
    ("npm registry", ".npmrc", "registry=https://registry.npmjs.org/\nsave-exact=true\nstrict-ssl=true\n"),
    ("rustup", "rust-toolchain.toml", "[toolchain]\nchannel = \"1.90\"\ncomponents = [\"clippy\"]"),
    ("rustup", "rust-toolchain", "nightly-2026-01-01\n"),
    ("go", "go.mod", "module a\n\ngo 1.24\n\ntoolchain go1.24.2\n"),
    (
        "gradle",
        "gradle.properties",
        "# \\u00zz\norg.gradle.jvmargs=-Xmx2g \\\r\n  -XX:MaxMetaspaceSize=512m -Dfile.encoding=UTF-8\r\nandroid.useAndroidX=true",
    ),
    ("dotnet", "global.json", "{ // comment\n \"sdk\": {\"version\": \"9.0.100\"}}"),
    (
        "compose",
        ".env",
        "POSTGRES_PASSWORD=x\nCOMPOSE_PROJECT_NAME=a\nURL=postgres://u:p@h/d\nKEY=\"-----BEGIN\nab+/==\n-----END\"\n",
    ),
    (
        "compose",
        "compose.yaml",
        "x-base: &base\n  restart: always\nservices:\n  db:\n    <<: *base\n    image: postgres\n    extends: web\n    environment:\n      URL: https://x/${Y}\n",
    ),
    (
        "cargo",
        ".cargo/config.toml",
        "[build]\ntarget-dir = \"x\"\nrustflags = [\"-C\", \"target-cpu=native\"]\n[alias]\nt = \"test\"\n[target.x86_64-unknown-linux-gnu]\nlinker = \"clang\"\n\
        [env]\nDATABASE_URL = \"x\"\n[net]\ngit-fetch-with-cli = true\n[registries.own]\nindex = \"https://x\"\n",
    ),
    (
        "composer",
        "composer.json",
        "{\"scripts\": {\"test\": \"phpunit\", \"post-install-cmd\": \"x\"}, \"require\": {}}",
    ),
    ("composer", "vendor/composer/installed.json", "{\"packages\": [{\"name\": \"a/b\", \"type\": \"library\"}]}"),
    (
        "terraform",
        ".terraform/terraform.tfstate",
        "{\"version\": 3, \"backend\": {\"type\": \"s3\", \"hash\": 12, \"config\": {\"bucket\": \"b\", \"key\": \"k\", \"region\": \"r\", \"endpoint\": null}}}",
    ),
    (
        "terraform",
        "*.tf",
        "# the backend for a { b }\nterraform {\n  backend \"s3\" {\n  }\n}\nresource \"google_compute_backend_service\" \"backend\" {\n  backend {\n    group = 1\n  }\n}\nlocals { backend = { a = 1 } }\n",
    ),
    ("yarn registry", ".yarnrc", "registry \"https://registry.yarnpkg.com\"\n"),
    ("yarn registry", ".yarnrc.yml", "nodeLinker: node-modules\nenableStrictSsl: true\n"),
    ("npm connection", ".npmrc", "registry=https://npm.example.org/\nstrict-ssl=true\nengine-strict=true\n"),
    ("versions", "mise.toml", "[tasks.x]\ndescription = \"Builds {{all}}\"\nrun = \"make\"\n"),
    ("yamllint", ".yamllint", "extends: default\nrules:\n  line-length: disable\n"),
    ("mercurial", ".hg/hgrc", "# example\n[paths]\ndefault = https://hg.example.org/a\n\n[ui]\nusername = Ann\n"),
    ("jujutsu", ".jj/repo/config.toml", "[user]\nemail = \"a@b.c\"\n"),
    ("trivy", "trivy.yaml", "severity:\n  - HIGH\nscan:\n  skip-dirs:\n    - node_modules\n"),
    (
        "versions",
        "mise.toml",
        "min_version = \"2025.1.0\"\n[tools]\nnode = \"22\"\n\"npm:prettier\" = \"3\"\npython = { version = \"3.13\" }\n[tasks.t]\nsources = [\"a\"]\nrun = \"x {{ exec(command='a') }}\"\n\
        [env]\nFOO = 'bar'\nNODE_ENV = \"test\"\n[settings]\nexperimental = true\n",
    ),
    ("versions", ".prototools", "node = \"22\"\n[settings]\nauto-install = true\n"),
    ("versions", ".tool-versions", "nodejs 22.1.0\n# python\npython 3.13.1 system\n"),
    ("versions", ".node-version", "lts/iron\n"),
];

#[test]
fn settings_that_run_something_are_found_however_they_are_spelled() {
    for (family, file, text) in RUN {
        let found = look(family, file, text);
        assert!(found.is_err() || found.is_ok_and(|found| !found.names.is_empty()), "{family} {file}: {text}");
    }
}

#[test]
fn ordinary_files_hold_none() {
    for (family, file, text) in ORDINARY {
        assert_eq!(look(family, file, text), Ok(Findings::default()), "{family} {file}: {text}");
    }
}

#[test]
fn a_file_that_another_one_names_is_read_as_well() {
    let of = |family, file, text| look(family, file, text).unwrap();
    let compose = of("compose", "compose.yaml", "services: {a: {extends: {file: ../base.yml, service: a}}}");
    assert_eq!(compose.further.iter().map(|further| further.path.as_str()).collect::<Vec<_>>(), ["../base.yml"]);
    let mise = of("versions", "mise.toml", "[env]\n_.file = ['.env', 'config/dev.env']\n");
    assert_eq!(
        mise.further.iter().map(|further| further.path.as_str()).collect::<Vec<_>>(),
        [".env", "config/dev.env"]
    );
    let find = mise.further.first().unwrap().find;
    assert_eq!(find("A=1\nNODE_OPTIONS=--require=./x.js\n").unwrap().names, ["node_options"]);
    assert!(find("A=1\n").unwrap().names.is_empty());
    for text in ["[env]\n_.file = 'x.json'\n", "[env]\n_.file = '../../x.env'\n"] {
        assert!(!of("versions", "mise.toml", text).names.is_empty(), "{text}");
    }
}
