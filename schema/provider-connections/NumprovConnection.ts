import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { id } from "../conventions/Ids.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

const nullable = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.NullOr(schema).annotate({ description })

/** What was asked of the provider, and what came of it. M-IMP-18, gaps-2 L "Number-provider connections" */
export const NumprovOperation = Schema.Struct({
  id: id("npo"),
  object: Schema.Literal("numprov_operation"),
  kind: Schema.Literals(["register", "rotate", "discovery"]).annotate({ description: "What is asked." }),
  status: Schema.Literals(["pending", "succeeded", "failed"]).annotate({
    description: "Poll until it is not pending."
  }),
  error_code: nullable(
    Schema.Literals(["numprov_credentials_invalid", "numprov_provider_unavailable", "numprov_connection_unavailable"]),
    "Why it failed: the provider does not take the key for this account, could not be reached, or the connection ended."
  ),
  created_at: Timestamp,
  completed_at: nullable(Timestamp, "Null while it is pending.")
}).annotate({ identifier: "NumprovOperation" })
export type NumprovOperation = typeof NumprovOperation.Type

/** Your own account at the number provider. gaps-2 L "Number-provider connections" */
export const NumprovConnection = Schema.Struct({
  id: id("npc"),
  object: Schema.Literal("numprov_connection"),
  status: Schema.Literals(["pending", "connected", "failed", "disconnected"]).annotate({
    description: "connected once the key was proven; failed: register the account anew."
  }),
  display_name: Schema.String.annotateKey({ description: "What you call it." }),
  account_id: Schema.String.annotateKey({ description: "The account at the provider." }),
  environment: EnvironmentKind,
  credential_last_four: nullable(Schema.String, "The end of the key, to tell one from another."),
  webhook_secret_configured: Schema.Boolean.annotate({ description: "Whether the provider's calls can be proven." }),
  latest_operation: nullable(NumprovOperation, "What was asked last."),
  last_discovered_at: nullable(Timestamp, "When its numbers were listed last."),
  created_at: Timestamp,
  updated_at: Timestamp,
  disconnected_at: nullable(Timestamp, "Null while it is not over.")
}).annotate({ identifier: "NumprovConnection" })
export type NumprovConnection = typeof NumprovConnection.Type

/** A number of that account, as last listed. */
export const NumprovResource = Schema.Struct({
  id: Schema.String.annotateKey({ description: "The provider's id of the number." }),
  object: Schema.Literal("numprov_resource"),
  provider_number_id: Schema.String.annotateKey({ description: "The same, as an import names it." }),
  phone: Schema.String.annotateKey({ description: "The number." }),
  status: Schema.Literals(["active", "suspended", "released"]).annotate({ description: "As the provider says." }),
  sms: Schema.Boolean.annotate({ description: "Whether it takes text messages." }),
  observed_at: Timestamp
}).annotate({ identifier: "NumprovResource" })
export type NumprovResource = typeof NumprovResource.Type
