import { parseAllowlist } from "@carteiro/outbound/Targets.ts"
import * as Readers from "./Readers.ts"
import { optional, redacted, row, withDefault } from "./Rows.ts"

// Vendors, and what rooms between this process and them need. A name of this list is accepted although its room may still
// be empty, so that one environment suits every release. Boot contract, "Settings"

const address = (name: string, about: string) => optional(name, "none", Readers.webUrl, `base URL of ${about}`)

const named = (name: string, about: string) => optional(name, "none", Readers.text, about)

const secret = (name: string, about: string) => optional(name, "none", redacted(Readers.text), about, { secret: true })

/** The secret beside the one of that name, which is accepted as well while that one is rotated at its vendor. */
const secondSecret = (name: string) => secret(`${name}_SECOND`, `accepted beside ${name} while that is rotated`)

/** Stands in development for what only a real vendor gives; production has none until it is set. */
const inDevelopment = (name: string, about: string, read: Readers.Reader<string>, standard: string) =>
  row<string | undefined>(name, about, `${standard}; none in production`, read, (production) =>
    production ? undefined : standard
  )

const origins = Readers.expecting("comma-separated origins such as https://app.example.com", parseAllowlist)

/** Where signups return to in development: a page beside the receiver, and the origin of the examples. */
const developmentOrigins = ["http://localhost:4020", "http://127.0.0.1:4020", "https://app.example.com"]

/** Settings of vendors, media storage, mail and commerce, by the name the code knows them under. */
export const providerSettings = {
  upstreamApiBaseUrl: address("CARTEIRO_UPSTREAM_API_BASE_URL", "the chat provider's API"),
  upstreamApiVersion: withDefault(
    "CARTEIRO_UPSTREAM_API_VERSION",
    "v23.0",
    Readers.expecting("a version such as v23.0", (text) => (/^v\d{1,3}\.\d{1,3}$/.test(text) ? text : undefined)),
    "version of the chat provider's API"
  ),
  upstreamAppId: named("CARTEIRO_UPSTREAM_APP_ID", "id of our app at the chat provider"),
  upstreamAppSecret: secret("CARTEIRO_UPSTREAM_APP_SECRET", "secret of our app at the chat provider"),
  upstreamAppSecretSecond: secondSecret("CARTEIRO_UPSTREAM_APP_SECRET"),
  upstreamWebhookVerifyToken: secret(
    "CARTEIRO_UPSTREAM_WEBHOOK_VERIFY_TOKEN",
    "what the chat provider says when it subscribes to our receiver"
  ),
  upstreamMessagingProduct: withDefault(
    "CARTEIRO_UPSTREAM_MESSAGING_PRODUCT",
    "whatsapp",
    Readers.text,
    "product that sends name to the chat provider"
  ),
  upstreamDialogUrl: optional(
    "CARTEIRO_UPSTREAM_DIALOG_URL",
    "https://www.facebook.com/{version}/dialog/oauth",
    Readers.webUrl,
    "page at which the chat provider asks people for consent"
  ),
  upstreamReturnOrigins: row(
    "CARTEIRO_UPSTREAM_RETURN_ORIGINS",
    "origins a signup may return to, separated by commas",
    `${developmentOrigins.join(",")}; none in production`,
    origins,
    (production): ReadonlySet<string> => new Set(production ? [] : developmentOrigins)
  ),
  upstreamSignupConfigId: inDevelopment(
    "CARTEIRO_UPSTREAM_SIGNUP_CONFIG_ID",
    "signup configuration that onboarding shows",
    Readers.text,
    "409876543210001"
  ),
  upstreamSdkUrl: inDevelopment(
    "CARTEIRO_UPSTREAM_SDK_URL",
    "script that onboarding loads",
    Readers.webUrl,
    "https://connect.chatapp.example/sdk.js"
  ),
  numprovApiBaseUrl: address("CARTEIRO_NUMPROV_API_BASE_URL", "the number provider"),
  numprovApiKey: secret("CARTEIRO_NUMPROV_API_KEY", "our key at the number provider"),
  numprovWebhookSecret: secret("CARTEIRO_NUMPROV_WEBHOOK_SECRET", "signs the number provider's calls to us"),
  numprovWebhookSecretSecond: secondSecret("CARTEIRO_NUMPROV_WEBHOOK_SECRET"),
  numprovByokEnabled: row(
    "CARTEIRO_NUMPROV_BYOK_ENABLED",
    "true: tenants connect number provider accounts of their own",
    "true; false in production",
    Readers.truth,
    (production) => !production
  ),
  phoneProvisioningRequireBillingRecipient: withDefault(
    "CARTEIRO_PHONE_PROVISIONING_REQUIRE_BILLING_RECIPIENT",
    "false",
    Readers.truth,
    "true: no number is ordered before somebody receives billing alerts"
  ),
  groupsUpstreamReportsEnabled: withDefault(
    "CARTEIRO_GROUPS_UPSTREAM_REPORTS_ENABLED",
    "false",
    Readers.truth,
    "true: the chat provider's reports about groups are matched to groups"
  ),
  chatappInviteHosts: withDefault(
    "CARTEIRO_CHATAPP_INVITE_HOSTS",
    "chat.whatsapp.com",
    Readers.hosts,
    "hosts whose invite links are personal groups, separated by commas"
  ),
  pixprov1ApiBaseUrl: address("CARTEIRO_PIXPROV1_API_BASE_URL", "Pix provider 1"),
  pixprov2ApiBaseUrl: address("CARTEIRO_PIXPROV2_API_BASE_URL", "Pix provider 2"),
  pixApiSimulatorUrl: address(
    "CARTEIRO_PIX_API_SIMULATOR_URL",
    "the simulated institution for connections of the driver pix-api, whose authority is in the data directory; none in production"
  ),
  pixprov2PlatformApiKey: secret("CARTEIRO_PIXPROV2_PLATFORM_API_KEY", "our key at Pix provider 2: plans, cash Pix"),
  pixprov2PlatformWebhookSecret: secret(
    "CARTEIRO_PIXPROV2_PLATFORM_WEBHOOK_SECRET",
    "signs Pix provider 2's calls about our own account"
  ),
  pixprov2PlatformWebhookSecretSecond: secondSecret("CARTEIRO_PIXPROV2_PLATFORM_WEBHOOK_SECRET"),
  pixprov2PlatformPayerEmail: inDevelopment(
    "CARTEIRO_PIXPROV2_PLATFORM_PAYER_EMAIL",
    "e-mail named as payer of our own charges, where the vendor of Pix provider 2 demands one",
    Readers.expecting("an address such as billing@example.com", (text) =>
      /^[^\s<>@]{1,64}@[^\s<>@]{1,190}$/.test(text) ? text : undefined
    ),
    "billing@example.com"
  ),
  pixprov2PlatformClientId: named(
    "CARTEIRO_PIXPROV2_PLATFORM_CLIENT_ID",
    "driver pix-api: OAuth client of our own account, whose secret is CARTEIRO_PIXPROV2_PLATFORM_API_KEY"
  ),
  pixprov2PlatformCertificate: secret(
    "CARTEIRO_PIXPROV2_PLATFORM_CERTIFICATE",
    "driver pix-api: PKCS#12 file with certificate and key of our own account, in base64"
  ),
  pixprov2PlatformCertificatePassword: secret(
    "CARTEIRO_PIXPROV2_PLATFORM_CERTIFICATE_PASSWORD",
    "driver pix-api: password of that file"
  ),
  pixprov2PlatformPixKey: named("CARTEIRO_PIXPROV2_PLATFORM_PIX_KEY", "driver pix-api: Pix key of our own account"),
  cardprocApiBaseUrl: address("CARTEIRO_CARDPROC_API_BASE_URL", "the card processor, such as https://api.stripe.com"),
  cardprocApiKey: secret("CARTEIRO_CARDPROC_API_KEY", "our key at the card processor"),
  cardprocWebhookSecret: secret("CARTEIRO_CARDPROC_WEBHOOK_SECRET", "signs the card processor's calls to us"),
  cardprocWebhookSecretSecond: secondSecret("CARTEIRO_CARDPROC_WEBHOOK_SECRET"),
  speechprov1ApiBaseUrl: address("CARTEIRO_SPEECHPROV1_API_BASE_URL", "speech provider 1"),
  speechprov1ApiKey: secret("CARTEIRO_SPEECHPROV1_API_KEY", "our key at speech provider 1"),
  speechprov2ApiBaseUrl: address("CARTEIRO_SPEECHPROV2_API_BASE_URL", "speech provider 2"),
  speechprov2ApiKey: secret("CARTEIRO_SPEECHPROV2_API_KEY", "our key at speech provider 2"),
  speechprov3ApiBaseUrl: address("CARTEIRO_SPEECHPROV3_API_BASE_URL", "speech provider 3"),
  speechprov3ApiKey: secret("CARTEIRO_SPEECHPROV3_API_KEY", "our key at speech provider 3"),
  blobStore: withDefault(
    "CARTEIRO_BLOB_STORE",
    "local",
    Readers.oneOf("local", "s3"),
    "where media bytes are: in the data directory, or in an S3 bucket that several nodes share"
  ),
  blobS3Endpoint: address("CARTEIRO_BLOB_S3_ENDPOINT", "the S3 service"),
  blobS3Bucket: named("CARTEIRO_BLOB_S3_BUCKET", "bucket of media bytes"),
  blobS3Region: named("CARTEIRO_BLOB_S3_REGION", "region of that bucket"),
  blobS3AccessKey: secret("CARTEIRO_BLOB_S3_ACCESS_KEY", "access key for that bucket"),
  blobS3SecretKey: secret("CARTEIRO_BLOB_S3_SECRET_KEY", "secret key for that bucket"),
  smtpUrl: optional(
    "CARTEIRO_SMTP_URL",
    "a spool in the data directory",
    redacted(Readers.mailServer),
    "mail server that e-mails go to",
    { secret: true, requiredInProduction: true }
  ),
  mailFrom: optional("CARTEIRO_MAIL_FROM", "none", Readers.mailAddress, "sender of e-mails", {
    requiredInProduction: true
  }),
  promotionCreditBrl: withDefault(
    "CARTEIRO_PROMOTION_CREDIT_BRL",
    "0",
    Readers.amountBrl,
    "credit of a new organization, in BRL"
  )
}
