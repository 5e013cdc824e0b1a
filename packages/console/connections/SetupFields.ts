import type { SetupTarget } from "@carteiro/schema/provider-connections/SetupSession.ts"
import type { Label } from "../kit/Language.ts"

/** One field of the form; its name is that of the credential. */
export interface CredentialField {
  readonly name: string
  readonly label: Label
  readonly hint?: Label
  readonly secret?: true
  readonly required?: true
}

const apiKey: CredentialField = { name: "api_key", label: "API key", secret: true, required: true }
const webhookSecret: CredentialField = {
  name: "webhook_secret",
  label: "Webhook secret",
  hint: "Proves the provider's calls to us. Without it we only ask, and learn of payments later.",
  secret: true
}
const payments: ReadonlyArray<CredentialField> = [
  apiKey,
  webhookSecret,
  { name: "merchant_name", label: "Name that payers read" },
  { name: "pix_key", label: "Pix key" },
  { name: "pix_key_type", label: "Kind of Pix key", hint: "cpf, cnpj, email, phone or evp." }
]
const institution: ReadonlyArray<CredentialField> = [
  {
    name: "base_url",
    label: "API base URL",
    hint: "Of the standard API for Pix at your bank or payment institution: https and public.",
    required: true
  },
  { name: "client_id", label: "Client id", required: true },
  { name: "client_secret", label: "Client secret", secret: true, required: true },
  {
    name: "certificate_pkcs12_base64",
    label: "Client certificate",
    hint: "The PKCS#12 file of the institution (.p12 or .pfx), as base64 text.",
    secret: true,
    required: true
  },
  { name: "certificate_password", label: "Password of the certificate", secret: true },
  { name: "pix_key", label: "Pix key", required: true },
  { name: "merchant_name", label: "Name that payers read" }
]
const agentic: ReadonlyArray<CredentialField> = [
  apiKey,
  webhookSecret,
  { name: "participant_id", label: "Participant id" },
  { name: "agent_id", label: "Agent id" },
  {
    name: "agentic_api_base_url",
    label: "API base URL",
    hint: "Only where the provider gave you one of your own: https and public."
  }
]
const chat: ReadonlyArray<CredentialField> = [
  { name: "display_name", label: "What you call it", required: true },
  { name: "biz_account_id", label: "Business account id", required: true },
  { name: "phone_number_id", label: "Phone number id", hint: "The platform's id, not the phone.", required: true },
  {
    name: "access_token",
    label: "Access token",
    hint: "Minted by our app at the platform.",
    secret: true,
    required: true
  }
]

const targets: Readonly<Record<SetupTarget, readonly [name: Label, fields: ReadonlyArray<CredentialField>]>> = {
  "upstream.chatapp": ["the chat platform", chat],
  "pixprov2.payments": ["payments by pixprov2", payments],
  "pixprov1.payments": ["payments by pixprov1", payments],
  "pixprov1.agentic_payments": ["agentic payments by pixprov1", agentic],
  "speechprov1.tts": ["speech by speechprov1", [apiKey]],
  "speechprov2.tts": ["speech by speechprov2", [apiKey]],
  "speechprov3.tts": ["speech by speechprov3", [apiKey]],
  "speechprov1.stt": ["transcription by speechprov1", [apiKey]]
}

/** The name of a target for people. */
export const targetName = (target: SetupTarget): Label => targets[target][0]

/** True for the target whose accounts may also be at an institution that speaks the central bank's standard API. */
export const takesInstitutions = (target: SetupTarget): boolean => target === "pixprov2.payments"

/** The fields that a person enters for a target, or for an account at an institution. */
export const fieldsOf = (target: SetupTarget, atInstitution = false): ReadonlyArray<CredentialField> =>
  atInstitution && takesInstitutions(target) ? institution : targets[target][1]
