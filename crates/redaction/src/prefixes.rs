//! Public formats of keys and tokens that begin with fixed text, layer 1.
//!
//! The prefixes and lengths are those that the issuers document, for the most part on their pages on
//! token formats and for secret scanning (GitHub "About authentication to GitHub", GitLab "Token
//! overview", Slack "Token types", Stripe "API keys", AWS IAM "Unique identifiers", and so on; the
//! heading of each group names the issuer). `least` is somewhat below the issued length: a token that
//! is cut, as previews are, is still a secret.

use super::token_shape::{Alphabet, Shape};

/// Where a prefix counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// Anywhere: the prefix is unlike any word.
    Anywhere,
    /// Not behind a letter or digit: the prefix may end a word (`sk-` in `risk-`).
    Edge,
}

/// One format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    pub(super) kind: &'static str,
    pub(super) prefix: &'static str,
    pub(super) left: Left,
    pub(super) shape: Shape,
}

const fn any(kind: &'static str, prefix: &'static str, alphabet: Alphabet, least: usize) -> Format {
    Format { kind, prefix, left: Left::Anywhere, shape: Shape::Run { alphabet, least, most: usize::MAX } }
}

const fn edge(kind: &'static str, prefix: &'static str, alphabet: Alphabet, least: usize) -> Format {
    Format { kind, prefix, left: Left::Edge, shape: Shape::Run { alphabet, least, most: usize::MAX } }
}

/// A token of a fixed length, behind an edge and before one.
const fn exact(kind: &'static str, prefix: &'static str, alphabet: Alphabet, length: usize) -> Format {
    Format { kind, prefix, left: Left::Edge, shape: Shape::Run { alphabet, least: length, most: length } }
}

const fn special(kind: &'static str, prefix: &'static str, shape: Shape) -> Format {
    Format { kind, prefix, left: Left::Anywhere, shape }
}

use Alphabet::{Alphanumeric as AN, Base64 as B64, Base64Url as B64U, Dotted, Hash, Hex, Upper};

/// The formats. Where one prefix begins with another the longer one stands first.
#[rustfmt::skip]
pub(super) const FORMATS: &[Format] = &[
    // Amazon Web Services: access key ids (permanent, temporary, bearer, context), Bedrock API keys.
    special("aws-access-key-id", "AKIA", Shape::Run { alphabet: Upper, least: 16, most: 16 }),
    special("aws-access-key-id", "ASIA", Shape::Run { alphabet: Upper, least: 16, most: 16 }),
    special("aws-access-key-id", "ABIA", Shape::Run { alphabet: Upper, least: 16, most: 16 }),
    special("aws-access-key-id", "ACCA", Shape::Run { alphabet: Upper, least: 16, most: 16 }),
    edge("aws-bedrock-key", "ABSK", B64, 60), any("aws-bedrock-key", "bedrock-api-key-", B64, 20),
    // Google: API keys, OAuth access and refresh tokens, client secrets.
    any("gcp-api-key", "AIza", B64U, 30), any("google-oauth-token", "ya29.", B64U, 20),
    any("google-client-secret", "GOCSPX-", B64U, 20), edge("google-refresh-token", "1//0", B64U, 30),
    // Microsoft Azure: client secrets of Entra ID, shared access signatures, DevOps tokens.
    special("azure-client-secret", "Q~", Shape::AzureClientSecret),
    Format { kind: "azure-devops-token", prefix: "AZDO", left: Left::Anywhere, shape: Shape::AzureDevOps },
    // Other clouds.
    any("digitalocean-token", "dop_v1_", Hex, 32), any("digitalocean-token", "doo_v1_", Hex, 32),
    any("digitalocean-token", "dor_v1_", Hex, 32), edge("alibaba-access-key-id", "LTAI", AN, 12),
    edge("tencent-secret-id", "AKID", AN, 28), exact("scaleway-access-key", "SCW", Upper, 17),
    edge("fly-token", "fo1_", B64U, 24), edge("fly-token", "FlyV1 ", Alphabet::Fly, 24),
    any("fly-token", "fm1a_", Alphabet::Fly, 24), any("fly-token", "fm1r_", Alphabet::Fly, 24),
    any("fly-token", "fm2_", Alphabet::Fly, 24),
    any("heroku-token", "HRKU-", B64U, 20), any("netlify-token", "nfp_", AN, 24), any("netlify-token", "nfc_", AN, 24),
    any("vercel-token", "vercel_blob_rw_", B64U, 16), edge("vercel-token", "vcp_", AN, 24),
    edge("vercel-token", "vck_", AN, 24), edge("vercel-token", "vci_", AN, 24), edge("vercel-token", "vca_", AN, 24),
    edge("render-token", "rnd_", AN, 24), special("cloudflare-origin-key", "v1.0-", Shape::CloudflareOrigin),
    edge("cloudflare-token", "cfut_", B64U, 32), edge("cloudflare-token", "cfat_", B64U, 32), edge("cloudflare-token", "cfk_", B64U, 32),
    any("yandex-token", "y0_AgA", B64U, 30), any("yandex-key", "AQVN", B64U, 34),
    special("yandex-token", "t1.", Shape::Dots { alphabet: Alphabet::Base64UrlPadded, least: &[20, 80] }),
    edge("aiven-password", "AVNS_", B64U, 12), edge("openshift-token", "sha256~", B64U, 40), edge("scalingo-token", "tk-us-", B64U, 40),
    edge("deno-token", "ddp_", AN, 30), edge("deno-token", "ddo_", AN, 30), edge("volcengine-key", "AKLT", B64U, 30),
    edge("baidu-key", "bce-v3/ALTAK-", Alphabet::Path, 20), edge("koyeb-token", "kyb_", AN, 24),
    // GitHub, GitLab, Bitbucket, Atlassian, Sourcegraph, Gitea-independent forges.
    any("github-token", "ghp_", AN, 24), any("github-token", "gho_", AN, 24), any("github-token", "ghu_", AN, 24),
    any("github-token", "ghs_", B64U, 24), any("github-token", "ghr_", AN, 24), any("github-token", "github_pat_", B64U, 22),
    any("gitlab-token", "glpat-", Dotted, 16), any("gitlab-token", "gldt-", Dotted, 16), any("gitlab-token", "glrt-", Dotted, 16),
    any("gitlab-token", "glrtr-", Dotted, 16), any("gitlab-token", "glcbt-", Dotted, 16), any("gitlab-token", "glptt-", Dotted, 16),
    any("gitlab-token", "glft-", Dotted, 16), any("gitlab-token", "glimt-", Dotted, 16), any("gitlab-token", "glagent-", Dotted, 16),
    any("gitlab-token", "gloas-", Dotted, 16), any("gitlab-token", "glsoat-", Dotted, 16), any("gitlab-token", "glffct-", Dotted, 16),
    any("gitlab-token", "glwt-", Dotted, 16), any("gitlab-token", "GR1348941", B64U, 16),
    any("trello-token", "ATTA", Hex, 60), edge("packagist-token", "packagist_", AN, 24), edge("shortcut-token", "sct_rw_", B64U, 24), edge("shortcut-token", "sct_ro_", B64U, 24),
    any("atlassian-token", "ATATT3", Alphabet::Base64UrlPadded, 24), any("atlassian-token", "ATCTT3", Alphabet::Base64UrlPadded, 24),
    any("bitbucket-token", "ATBB", AN, 24), any("sourcegraph-token", "sgp_", B64U, 32), any("gitea-token", "gta_", AN, 30),
    // Slack, Discord, Telegram, Microsoft Teams and other chat.
    any("slack-token", "xoxb-", B64U, 16), any("slack-token", "xoxp-", B64U, 16), any("slack-token", "xoxa-", B64U, 16),
    any("slack-token", "xoxr-", B64U, 16), any("slack-token", "xoxs-", B64U, 16), any("slack-token", "xoxc-", B64U, 16),
    any("slack-token", "xoxd-", Alphabet::Percent, 16), any("slack-token", "xoxo-", B64U, 16),
    any("slack-token", "xoxe-", B64U, 16), any("slack-token", "xoxe.xox", Dotted, 16), any("slack-token", "xapp-", B64U, 16),
    any("slack-token", "xwfp-", B64U, 16),
    any("slack-webhook", "hooks.slack.com/services/", Alphabet::Path, 16), any("slack-webhook", "hooks.slack-gov.com/services/", Alphabet::Path, 16),
    any("slack-webhook", "hooks.slack.com/workflows/", Alphabet::Path, 16), any("slack-webhook", "hooks.slack.com/triggers/", Alphabet::Path, 16),
    any("discord-webhook", "discord.com/api/webhooks/", Alphabet::Path, 32), any("discord-webhook", "discordapp.com/api/webhooks/", Alphabet::Path, 32),
    any("discord-webhook", "discord.com/api/v10/webhooks/", Alphabet::Path, 32), any("discord-webhook", "discord.com/api/v9/webhooks/", Alphabet::Path, 32),
    special("discord-token", ".", Shape::DiscordBot), special("telegram-token", ":AA", Shape::TelegramBot),
    any("teams-webhook", "webhook.office.com/webhookb2/", Alphabet::Path, 32),
    // Payment: Stripe, Square, PayPal-owned, Shopify, Razorpay, Flutterwave, EasyPost, Plaid.
    any("stripe-key", "sk_live_", AN, 10), any("stripe-key", "sk_test_", AN, 10), any("stripe-key", "rk_live_", AN, 10),
    any("stripe-key", "rk_test_", AN, 10), any("stripe-key", "sk_org_", AN, 16), any("stripe-webhook-secret", "whsec_", B64, 16),
    any("square-token", "sq0atp-", B64U, 16), any("square-token", "sq0csp-", B64U, 24), edge("square-token", "EAAA", B64U, 55),
    any("shopify-token", "shpat_", AN, 24), any("shopify-token", "shpca_", AN, 24), any("shopify-token", "shppa_", AN, 24),
    any("shopify-token", "shpss_", AN, 24), any("razorpay-key", "rzp_live_", AN, 12),
    any("flutterwave-key", "FLWSECK_TEST-", B64U, 12), any("flutterwave-key", "FLWSECK-", B64U, 12),
    edge("easypost-key", "EZAK", AN, 50), edge("easypost-key", "EZTK", AN, 50),
    any("plaid-token", "access-sandbox-", Hex, 8), any("plaid-token", "access-production-", Hex, 8),
    any("plaid-token", "access-development-", Hex, 8), edge("paddle-key", "pdl_live_apikey_", Alphabet::Underscored, 24),
    edge("paddle-key", "pdl_sdbx_apikey_", Alphabet::Underscored, 24), edge("polar-token", "polar_oat_", AN, 24), edge("polar-token", "polar_pat_", AN, 24),
    edge("braintree-token", "access_token$", Hash, 24),
    // Models and their tools: OpenAI, Anthropic, OpenRouter, Hugging Face, Groq, xAI, Perplexity and others.
    any("anthropic-key", "sk-ant-", B64U, 20), any("openrouter-key", "sk-or-", B64U, 20), any("openai-key", "sk-proj-", B64U, 20),
    any("openai-key", "sk-svcacct-", B64U, 20), any("openai-key", "sk-admin-", B64U, 20), any("langfuse-key", "sk-lf-", B64U, 20),
    edge("openai-key", "sk-", AN, 20),
    edge("huggingface-token", "hf_", AN, 24), edge("huggingface-token", "api_org_", AN, 24), edge("groq-key", "gsk_", AN, 24),
    edge("replicate-token", "r8_", AN, 24), edge("xai-key", "xai-", B64U, 32), any("perplexity-key", "pplx-", AN, 24),
    any("langsmith-key", "lsv2_pt_", B64U, 24), any("langsmith-key", "lsv2_sk_", B64U, 24), any("nvidia-key", "nvapi-", B64U, 24),
    edge("cerebras-key", "csk-", AN, 24), edge("fireworks-key", "fw_", AN, 22), any("tavily-key", "tvly-", B64U, 20),
    any("firecrawl-key", "fc-", Hex, 32), any("jina-key", "jina_", B64U, 30), any("kaggle-token", "KGAT_", AN, 24),
    any("elevenlabs-key", "sk_", Hex, 40), any("wandb-key", "wandb_v1_", B64U, 24),
    edge("openai-key", "sess-", AN, 24), edge("together-key", "tgp_v1_", B64U, 24), edge("pinecone-key", "pcsk_", Alphabet::Underscored, 24),
    edge("runpod-key", "rpa_", AN, 24), edge("anyscale-key", "esecret_", AN, 20), 
    edge("e2b-key", "e2b_", Hex, 24), edge("mem0-key", "m0-", AN, 24), edge("brave-key", "BSA", B64U, 24), edge("helicone-key", "sk-helicone-", B64U, 16),
    edge("modal-token", "as-", AN, 20), edge("modal-token", "ak-", AN, 20), edge("exa-key", "exa_", AN, 24),
    // Package registries: npm, PyPI, RubyGems, crates.io, NuGet, Docker Hub, Clojars, Artifactory.
    any("npm-token", "npm_", AN, 28), any("pypi-token", "pypi-", B64U, 32), any("rubygems-key", "rubygems_", Hex, 32),
    exact("crates-io-token", "cio", AN, 32), any("nuget-key", "oy2", Alphabet::Lower, 43), any("docker-token", "dckr_pat_", B64U, 20),
    any("docker-token", "dckr_oat_", B64U, 20), any("clojars-token", "CLOJARS_", AN, 40),
    edge("artifactory-token", "AKCp", AN, 40), edge("artifactory-token", "cmVmdGtu", AN, 40),
    edge("depot-token", "depot_org_", AN, 24), edge("depot-token", "depot_project_", AN, 24), edge("depot-token", "depot_user_", AN, 24), edge("chromatic-token", "chpt_", AN, 12), edge("octopus-key", "API-", Upper, 26),
    // Mail: SendGrid, Mailgun, Mailchimp, Brevo, MailerSend, Resend, Postman.
    special("sendgrid-key", "SG.", Shape::Dots { alphabet: B64U, least: &[16, 16] }), exact("mailgun-key", "key-", Hex, 32),
    special("mailchimp-key", "-us", Shape::Mailchimp), any("brevo-key", "xkeysib-", B64U, 40), any("brevo-key", "xsmtpsib-", B64U, 40),
    any("mailersend-token", "mlsn.", Hex, 40), edge("resend-key", "re_", Alphabet::Underscored, 28), any("postman-key", "PMAK-", B64U, 32),
    // Telephony.
    exact("twilio-key", "SK", Hex, 32), exact("twilio-account-sid", "AC", Hex, 32),
    // Work: Linear, Notion, Airtable, Figma, Asana, Contentful, Dropbox, Typeform, ReadMe, Mapbox.
    any("linear-key", "lin_api_", AN, 24), any("linear-key", "lin_oauth_", AN, 24), edge("notion-token", "ntn_", AN, 32),
    edge("notion-token", "secret_", AN, 40), special("airtable-token", "pat", Shape::Airtable),
    any("figma-token", "figd_", B64U, 24), any("figma-token", "figu_", B64U, 24), any("contentful-token", "CFPAT-", B64U, 30),
    edge("dropbox-token", "sl.", B64U, 60), any("typeform-token", "tfp_", Dotted, 30), any("readme-key", "rdme_", AN, 40),
    special("mapbox-token", "sk.eyJ", Shape::Dots { alphabet: B64U, least: &[20, 16] }), any("frameio-token", "fio-u-", B64U, 40),
    any("hubspot-token", "pat-na", B64U, 32), any("hubspot-token", "pat-eu", B64U, 32),
    edge("facebook-token", "EAAC", AN, 60), edge("facebook-token", "EAAM", AN, 60), edge("facebook-token", "EAAG", AN, 60),
    edge("instagram-token", "IGQ", B64U, 60), edge("pinterest-token", "pina_", AN, 32), edge("twitter-token", "AAAAAAAAAAAAAAAAAAAAA", Alphabet::Percent, 60),
    edge("retool-token", "retool_", AN, 24), edge("n8n-key", "n8n_api_", Dotted, 24), edge("settlemint-token", "sm_pat_", AN, 16),
    edge("settlemint-token", "sm_aat_", AN, 16), edge("intra42-secret", "s-s4t2ud-", Hex, 40), edge("intra42-secret", "s-s4t2af-", Hex, 40),
    edge("adobe-secret", "p8e-", AN, 32), edge("stytch-secret", "secret-live-", B64U, 30), edge("stytch-secret", "secret-test-", B64U, 30),
    // Watching: New Relic, Grafana, Sentry, Dynatrace, PostHog, Adafruit.
    any("newrelic-key", "NRAK-", AN, 20), any("newrelic-key", "NRII-", B64U, 20), any("newrelic-key", "NRJS-", Hex, 16),
    any("newrelic-key", "NRIQ-", B64U, 20), any("newrelic-key", "NRRA-", AN, 20), any("grafana-token", "glsa_", B64U, 24),
    edge("axiom-token", "xaat-", B64U, 24), edge("axiom-token", "xapt-", B64U, 24), edge("honeycomb-key", "hcaik_", AN, 24),
    edge("honeycomb-key", "hcalk_", AN, 24),
    edge("grafana-token", "glc_", B64, 24), any("sentry-token", "sntrys_", Alphabet::Base64Joined, 24), any("sentry-token", "sntryu_", AN, 24),
    special("dynatrace-token", "dt0c01.", Shape::Dots { alphabet: AN, least: &[16, 24] }),
    special("dynatrace-token", "dt0s01.", Shape::Dots { alphabet: AN, least: &[8, 24] }), edge("posthog-key", "phx_", AN, 24), any("adafruit-key", "aio_", AN, 24),
    // Data: Supabase, PlanetScale, Databricks, Neon.
    any("supabase-token", "sbp_", Hex, 32), any("supabase-token", "sb_secret_", B64U, 16), any("planetscale-token", "pscale_tkn_", Dotted, 24),
    any("planetscale-token", "pscale_pw_", Dotted, 24), any("planetscale-token", "pscale_oauth_", Dotted, 24),
    edge("databricks-token", "dapi", Hex, 32), any("neon-key", "napi_", AN, 40),
    edge("xata-key", "xau_", AN, 24), edge("cockroach-key", "CCDB1_", Alphabet::Underscored, 24), edge("mongodb-atlas-secret", "mdb_sa_sk_", B64U, 24),
    edge("dbt-token", "dbtu_", B64U, 24), edge("dbt-token", "dbtc_", B64U, 24), edge("prefect-key", "pnu_", AN, 30), edge("prefect-key", "pnb_", AN, 30),
    edge("trigger-dev-key", "tr_dev_", AN, 16), edge("trigger-dev-key", "tr_prod_", AN, 16), edge("trigger-dev-key", "tr_pat_", AN, 16),
    edge("inngest-key", "signkey-prod-", Hex, 32), edge("inngest-key", "signkey-test-", Hex, 32), edge("svix-key", "testsk_", AN, 20),
    // Secrets and infrastructure: Vault, Doppler, Terraform, Pulumi, 1Password, Tailscale, age.
    edge("vault-token", "hvs.", B64U, 20), edge("vault-token", "hvb.", B64U, 20), edge("vault-token", "hvr.", B64U, 20),
    exact("vault-token", "s.", AN, 24), any("doppler-token", "dp.pt.", AN, 24), any("doppler-token", "dp.ct.", AN, 24),
    any("doppler-token", "dp.st.", Dotted, 24), any("doppler-token", "dp.sa.", AN, 24), any("doppler-token", "dp.scim.", AN, 24),
    any("doppler-token", "dp.said.", AN, 24), any("netbird-token", "nbp_", AN, 30), any("defined-token", "dnkey-", Alphabet::Base64UrlPadded, 40),
    edge("ngrok-token", "ngrok_", AN, 30), any("endor-key", "endr+", B64U, 16),
    // RFC 8959, "The secret-token URI Scheme".
    edge("secret-token", "secret-token:", Alphabet::Token, 12),
    any("doppler-token", "dp.audit.", AN, 24), special("terraform-token", ".atlasv1.", Shape::Terraform),
    any("pulumi-token", "pul-", Hex, 32), any("1password-token", "ops_eyJ", Alphabet::Base64UrlPadded, 40),
    any("tailscale-key", "tskey-", B64U, 16), any("age-secret-key", "AGE-SECRET-KEY-1", AN, 20),
    any("age-secret-key", "AGE-SECRET-KEY-PQ-1", AN, 20), any("infracost-key", "ico-", AN, 32),
    // Building: Buildkite, CircleCI, SonarQube, Snyk-like, Codecov-like.
    any("buildkite-token", "bkua_", Hex, 32), any("circleci-token", "CCIPAT_", B64U, 24), any("sonar-token", "sqp_", Hex, 32),
    any("sonar-token", "squ_", Hex, 32), any("sonar-token", "sqa_", Hex, 32),
    any("sonar-token", "sqb_", Hex, 32), any("circleci-token", "CCIPRJ_", B64U, 24), edge("snyk-token", "snyk_uat.", Dotted, 24), edge("snyk-token", "snyk_sat.", Dotted, 24),
    special("harness-token", "pat.", Shape::Dots { alphabet: B64U, least: &[22, 24, 20] }),
    special("harness-token", "sat.", Shape::Dots { alphabet: B64U, least: &[22, 24, 20] }),
    // Whoever tells real keys from those for trying has the word in them: `bb_live_…`, `cal_live_…`, `duffel_live_…`.
    special("api-key", "_live_", Shape::Live),
    any("stripe-key", "ek_test_", AN, 10), any("shippo-key", "shippo_test_", Hex, 32), any("duffel-key", "duffel_test_", B64U, 32),
    // JSON Web Tokens (RFC 7519), signed or not, and JSON Web Encryption (RFC 7516).
    special("jwt", "eyJ", Shape::JsonWebToken),
    // Password hashes as crypt(5), htpasswd(1) and PHC strings write them.
    any("password-hash", "$apr1$", Hash, 16), any("password-hash", "$2y$", Hash, 32), any("password-hash", "$2b$", Hash, 32),
    any("password-hash", "$2a$", Hash, 32), any("password-hash", "$5$", Hash, 32), any("password-hash", "$6$", Hash, 32),
    any("password-hash", "$y$", Hash, 32), any("password-hash", "$argon2id$", Hash, 32), any("password-hash", "$argon2i$", Hash, 32),
    any("password-hash", "{SSHA}", B64, 20), any("password-hash", "pbkdf2_sha256$", Hash, 32),
];
