import { Schema } from "effect"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

/** Failures of a language model that a sandbox can play. M-SBX-18 */
export const llmFailures = ["provider_down", "auth_failed", "timeout", "cost_cap_reached"] as const
export type LlmFailure = (typeof llmFailures)[number]

const Failure = Schema.Literals(llmFailures).annotate({ description: "How calls of a language model fail." })

/** Body of POST /v1/sandbox/llm/failure. M-SBX-18, M-SBX-19, M-LIM-05 */
export const ArmLlmFailure = Schema.Struct({
  failure: Failure,
  ttl_seconds: nullableOptional(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3600 })).annotate({
      description: "For how many seconds every call fails, 1 to 3600; left out, the next call alone does."
    })
  )
})
  .annotate({ examples: [{ failure: "timeout", ttl_seconds: 60 }] })
  .annotate({ identifier: "ArmLlmFailure" })
export type ArmLlmFailure = typeof ArmLlmFailure.Type

/** The failure that is played from now on; arming again replaces it. M-SBX-20, M-SBX-21 */
export class ArmedLlmFailure extends Schema.Class<ArmedLlmFailure>("ArmedLlmFailure")({
  armed: Schema.Literal(true),
  failure: Failure,
  expires_at: Schema.NullOr(Timestamp).annotate({ description: "Until when; null for the next call alone." })
}) {}
