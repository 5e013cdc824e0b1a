import { Schema } from "effect"
import { nullableOptional, requiredCode } from "../conventions/RequestValidation.ts"
import { label, text } from "../conventions/Text.ts"
import { NumprovByokTermsRequired } from "../provider-connections/NumprovErrors.ts"

const displayName = nullableOptional(
  label(1, 255).annotate({ description: "The name customers see, 1 to 255 characters after trimming." })
)

/** Body of POST /v1/phone-numbers/connect. M-PHN-49, gaps-2 K "Connect rules" */
export const ConnectPhoneNumber = Schema.Struct({
  phone: Schema.String.check(Schema.isPattern(/^\+[0-9]{8,15}$/u)).annotate({
    description: "In international form: + and 8 to 15 digits."
  }),
  upstream_phone_number_id: text(1, 64).annotate({ description: "Its id at the chat platform, 1 to 64 characters." }),
  display_name: displayName
}).annotate({
  identifier: "ConnectPhoneNumber",
  examples: [{ phone: "+5511998765432", upstream_phone_number_id: "106540352242922", display_name: "Loja Aurora" }]
})
export type ConnectPhoneNumber = typeof ConnectPhoneNumber.Type

/** Body of POST /v1/phone-numbers/import-numprov. M-IMP-03, M-IMP-04 */
export const ImportNumprovNumber = Schema.Struct({
  provider_connection_id: text(1, 64).annotate({ description: "Your number-provider connection (npc_…)." }),
  provider_number_id: text(1, 255).annotate({
    description: "The number's id at the provider, as its resources show it."
  }),
  upstream_phone_number_id: nullableOptional(
    text(1, 64).annotate({ description: "Its id at the chat platform, where it is registered there already." })
  ),
  display_name: displayName,
  continuation_terms_version: Schema.Literal("numprov_byok_v1")
    .annotate(requiredCode(NumprovByokTermsRequired.code))
    .annotate({ description: "That you accept the terms under which the number is managed here." })
}).annotate({
  identifier: "ImportNumprovNumber",
  examples: [
    {
      provider_connection_id: "npc_01kah7v3m8q6x2r9d4t5w0y1z3",
      provider_number_id: "num_8842",
      upstream_phone_number_id: "106540352242922",
      display_name: "Loja Aurora",
      continuation_terms_version: "numprov_byok_v1"
    }
  ]
})
export type ImportNumprovNumber = typeof ImportNumprovNumber.Type

/** Body of POST /v1/phone-numbers/{phone_number_id}/release; it may be left out. gaps-2 K "Release, disconnect, convert" */
export const ReleasePhoneNumber = Schema.Struct({
  reason: nullableOptional(text(0, 500).annotate({ description: "Why, at most 500 characters." }))
}).annotate({ identifier: "ReleasePhoneNumber", examples: [{ reason: "Campaign ended." }] })

const targetId = text(1, 64)

/** Body of POST /v1/phone-numbers/{phone_number_id}/transfer. M-TRF-01, M-TRF-03 */
export const TransferPhoneNumber = Schema.Struct({
  target_project_id: targetId.annotate({ description: "The project it goes to." }),
  target_environment_id: targetId.annotate({ description: "The environment it goes to, of the same kind." }),
  confirm_phone_number_id: targetId.annotate({ description: "The id in the path once more." }),
  reason: nullableOptional(text(1, 500).annotate({ description: "Why, 1 to 500 characters." }))
}).annotate({
  identifier: "TransferPhoneNumber",
  examples: [
    {
      target_project_id: "prj_01kah7v3m8q6x2r9d4t5w0y1z3",
      target_environment_id: "env_01kah7v3m8q6x2r9d4t5w0y1z3",
      confirm_phone_number_id: "pn_01kah7v3m8q6x2r9d4t5w0y1z3",
      reason: "One project for all shops."
    }
  ]
})
export type TransferPhoneNumber = typeof TransferPhoneNumber.Type
