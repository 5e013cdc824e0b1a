import { bodyDecoder, isRefusal } from "@carteiro/http-edge/Decoding.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { nullableOptional } from "@carteiro/schema/conventions/RequestValidation.ts"
import { label, text } from "@carteiro/schema/conventions/Text.ts"
import { RegisterUpstream } from "@carteiro/schema/provider-connections/ProviderConnectionsApi.ts"
import type { SetupTarget } from "@carteiro/schema/provider-connections/SetupSession.ts"
import { InvalidSetupSessionRequest } from "@carteiro/schema/provider-connections/SetupSessionErrors.ts"
import { Schema } from "effect"

const ApiKey = text(1, 4096)
const optionalText = (maximum: number) => nullableOptional(text(1, maximum))

/** The credentials that a person enters for an account that takes payments. */
const PaymentCredentials = Schema.Struct({
  display_name: nullableOptional(label(1, 255)),
  api_key: ApiKey,
  webhook_secret: optionalText(1024),
  merchant_name: optionalText(255),
  pix_key: optionalText(255),
  pix_key_type: optionalText(32),
  participant_id: optionalText(255),
  agent_id: optionalText(255),
  agentic_api_base_url: nullableOptional(Schema.String)
})
export type PaymentCredentials = typeof PaymentCredentials.Type

/** The credentials of an account of pixprov2 at an institution that speaks the central bank's standard API. Decision 0161 */
const PixApiCredentials = Schema.Struct({
  driver: Schema.Literal("pix-api"),
  display_name: nullableOptional(label(1, 255)),
  base_url: text(1, 2048),
  client_id: text(1, 1024),
  client_secret: text(1, 4096),
  certificate_pkcs12_base64: text(1, 65_536),
  certificate_password: Schema.String.check(Schema.isMaxLength(1024)),
  pix_key: text(1, 77),
  merchant_name: optionalText(255)
})
export type PixApiCredentials = typeof PixApiCredentials.Type

const SpeechCredentials = Schema.Struct({ api_key: ApiKey })

/** Credentials in the form that their target needs. gaps-2 L "Setup session routes" */
export type EnteredCredentials =
  | { readonly _tag: "Upstream"; readonly body: RegisterUpstream }
  | { readonly _tag: "Payments"; readonly body: PaymentCredentials }
  | { readonly _tag: "PixApi"; readonly body: PixApiCredentials }
  | { readonly _tag: "Speech"; readonly body: typeof SpeechCredentials.Type }

const decoderOf = (credentials: Schema.Top) =>
  bodyDecoder(Schema.Struct({ credentials }), { code: InvalidSetupSessionRequest.code, strict: false })

const decoders = {
  Upstream: decoderOf(RegisterUpstream),
  Payments: decoderOf(PaymentCredentials),
  PixApi: decoderOf(PixApiCredentials),
  Speech: decoderOf(SpeechCredentials)
}

/** Returns the form that credentials have to have; those of pixprov2 name their driver unless they are a key. */
const formOf = (target: SetupTarget, credentials: unknown): EnteredCredentials["_tag"] => {
  if (target === "upstream.chatapp") return "Upstream"
  if (!target.startsWith("pixprov")) return "Speech"
  const driver = typeof credentials === "object" && credentials !== null && "driver" in credentials
  return target === "pixprov2.payments" && driver && (credentials.driver ?? "") !== "" ? "PixApi" : "Payments"
}

/** Reads the entered credentials; a refusal names the field below `credentials`. */
export const readCredentials = (target: SetupTarget, credentials: unknown): EnteredCredentials | ApiError => {
  const _tag = formOf(target, credentials)
  const decoded = decoders[_tag]({ credentials })
  if (isRefusal(decoded)) return decoded
  return { _tag, body: (decoded as { readonly credentials: unknown }).credentials } as EnteredCredentials
}
