import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { defineEvent } from "../conventions/Event.ts"
import { id } from "../conventions/Ids.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

/** `mss_` and a UUID, unlike every other id. M-SIGN-01, gaps-2 A "Id prefixes" */
export const SignupSessionId = Schema.String.check(
  Schema.isPattern(/^mss_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u, {
    expected: "mss_ and a UUID"
  })
).annotate({
  description: "Id of the signup session.",
  examples: ["mss_0b6ff1ae-5f5e-4c5e-9d5a-3f1d6c1c2b7e"]
})

/** The session as it ended, without its launch URL. M-SIGN-04, M-SIGN-12, gaps-2 L "Signup sessions and onboarding" */
export const UpstreamSignupSessionCompleted = defineEvent(
  "upstream_signup_session.completed",
  Schema.Struct({
    id: SignupSessionId,
    object: Schema.Literal("upstream_signup_session"),
    status: Schema.Literal("completed"),
    return_url: Schema.String.annotateKey({ description: "Address to which the person returned." }),
    end_customer_ref: Schema.NullOr(Schema.String).annotate({ description: "Your own reference for the customer." }),
    project_id: id("prj"),
    environment_id: id("env"),
    environment: EnvironmentKind,
    expires_at: Timestamp,
    completed_at: Timestamp,
    provider_connection_id: id("pcn"),
    created_at: Timestamp,
    updated_at: Timestamp
  }),
  { source_type: "upstream_signup_session", description: "A hosted signup ended with a connected account." }
)
