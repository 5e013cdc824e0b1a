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

const SpeechCredentials = Schema.Struct({ api_key: ApiKey })

/** Credentials in the form that their target needs. gaps-2 L "Setup session routes" */
export type EnteredCredentials =
  | { readonly _tag: "Upstream"; readonly body: RegisterUpstream }
  | { readonly _tag: "Payments"; readonly body: PaymentCredentials }
  | { readonly _tag: "Speech"; readonly body: typeof SpeechCredentials.Type }

const decoderOf = (credentials: Schema.Top) =>
  bodyDecoder(Schema.Struct({ credentials }), { code: InvalidSetupSessionRequest.code, strict: false })

const decoders = {
  Upstream: decoderOf(RegisterUpstream),
  Payments: decoderOf(PaymentCredentials),
  Speech: decoderOf(SpeechCredentials)
}

/** Reads the entered credentials; a refusal names the field below `credentials`. */
export const readCredentials = (target: SetupTarget, credentials: unknown): EnteredCredentials | ApiError => {
  const _tag = target === "upstream.chatapp" ? "Upstream" : target.startsWith("pixprov") ? "Payments" : "Speech"
  const decoded = decoders[_tag]({ credentials })
  if (isRefusal(decoded)) return decoded
  return { _tag, body: (decoded as { readonly credentials: unknown }).credentials } as EnteredCredentials
}
