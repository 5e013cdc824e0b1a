import { Schema } from "effect"
import { nullableOptional, requiredCode } from "../conventions/RequestValidation.ts"
import { label, text } from "../conventions/Text.ts"
import { NumprovByokTermsRequired } from "../provider-connections/NumprovErrors.ts"

const displayName = nullableOptional(
  label(1, 255).annotate({ description: "Name shown to customers, 1 to 255 characters after trimming." })
)

/** Body of POST /v1/phone-numbers/connect. M-PHN-49, gaps-2 K "Connect rules" */
export const ConnectPhoneNumber = Schema.Struct({
  phone: Schema.String.check(
    Schema.isPattern(/^\+[0-9]{8,15}$/u, { expected: "a number in international form: + and 8 to 15 digits" })
  ).annotate({
    description: "The number in international form: + and 8 to 15 digits."
  }),
  upstream_phone_number_id: text(1, 64).annotate({ description: "Id at the chat platform, 1 to 64 characters." }),
  display_name: displayName
}).annotate({
  identifier: "ConnectPhoneNumber",
  examples: [{ phone: "+5511998765432", upstream_phone_number_id: "106540352242922", display_name: "Loja Aurora" }]
})
export type ConnectPhoneNumber = typeof ConnectPhoneNumber.Type

/** Body of POST /v1/phone-numbers/import-numprov. M-IMP-03, M-IMP-04 */
export const ImportNumprovNumber = Schema.Struct({
  provider_connection_id: text(1, 64).annotate({ description: "Id of your number-provider connection (npc_…)." }),
  provider_number_id: text(1, 255).annotate({
    description: "Id of the number at the provider, from the list of its numbers."
  }),
  upstream_phone_number_id: nullableOptional(
    text(1, 64).annotate({ description: "Id at the chat platform, if the number is already registered there." })
  ),
  display_name: displayName,
  continuation_terms_version: Schema.Literal("numprov_byok_v1")
    .annotate(requiredCode(NumprovByokTermsRequired.code))
    .annotate({ description: "Version of the terms for managing the number here, which you accept." })
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

/** Body of POST /v1/phone-numbers/{phone_number_id}/release; it is optional. gaps-2 K "Release, disconnect, convert" */
export const ReleasePhoneNumber = Schema.Struct({
  reason: nullableOptional(text(0, 500).annotate({ description: "Reason, at most 500 characters." }))
}).annotate({ identifier: "ReleasePhoneNumber", examples: [{ reason: "Campaign ended." }] })

const targetId = text(1, 64)

/** Body of POST /v1/phone-numbers/{phone_number_id}/transfer. M-TRF-01, M-TRF-03 */
export const TransferPhoneNumber = Schema.Struct({
  target_project_id: targetId.annotate({ description: "Id of the target project." }),
  target_environment_id: targetId.annotate({ description: "Id of the target environment, of an equal kind." }),
  confirm_phone_number_id: targetId.annotate({ description: "The id in the path, repeated as confirmation." }),
  reason: nullableOptional(text(1, 500).annotate({ description: "Reason, 1 to 500 characters." }))
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
