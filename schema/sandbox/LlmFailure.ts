import { Schema } from "effect"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

/** Failures of a language model that a sandbox can simulate. M-SBX-18 */
export const llmFailures = ["provider_down", "auth_failed", "timeout", "cost_cap_reached"] as const
export type LlmFailure = (typeof llmFailures)[number]

const Failure = Schema.Literals(llmFailures).annotate({ description: "Failure of calls to a language model." })

/** Body of POST /v1/sandbox/llm/failure. M-SBX-18, M-SBX-19, M-LIM-05 */
export const ArmLlmFailure = Schema.Struct({
  failure: Failure,
  ttl_seconds: nullableOptional(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3600 })).annotate({
      description: "Seconds for which every call fails, 1 to 3600; by default only the next call fails."
    })
  )
})
  .annotate({ examples: [{ failure: "timeout", ttl_seconds: 60 }] })
  .annotate({ identifier: "ArmLlmFailure" })
export type ArmLlmFailure = typeof ArmLlmFailure.Type

/** The failure that is simulated from now on; a further request replaces it. M-SBX-20, M-SBX-21 */
export class ArmedLlmFailure extends Schema.Class<ArmedLlmFailure>("ArmedLlmFailure")({
  armed: Schema.Literal(true),
  failure: Failure,
  expires_at: Schema.NullOr(Timestamp).annotate({
    description: "End of the failure; null when only the next call fails."
  })
}) {}
