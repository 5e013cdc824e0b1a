import { Schema } from "effect"
import { EnvironmentKind } from "../conventions/Access.ts"
import { id } from "../conventions/Ids.ts"
import { Timestamp } from "../conventions/Timestamp.ts"

const nullable = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.NullOr(schema).annotate({ description })

/** One operation at the provider, and its result. M-IMP-18, gaps-2 L "Number-provider connections" */
export const NumprovOperation = Schema.Struct({
  id: id("npo"),
  object: Schema.Literal("numprov_operation"),
  kind: Schema.Literals(["register", "rotate", "discovery"]).annotate({ description: "Kind of operation." }),
  status: Schema.Literals(["pending", "succeeded", "failed"]).annotate({
    description: "Status of the operation; poll until it is not pending."
  }),
  error_code: nullable(
    Schema.Literals(["numprov_credentials_invalid", "numprov_provider_unavailable", "numprov_connection_unavailable"]),
    "Code of the failure: the provider refused the key for this account or could not be reached, or the connection ended."
  ),
  created_at: Timestamp,
  completed_at: nullable(Timestamp, "Time of completion; null while the operation is pending.")
}).annotate({ identifier: "NumprovOperation" })
export type NumprovOperation = typeof NumprovOperation.Type

/** Your own account at the number provider. gaps-2 L "Number-provider connections" */
export const NumprovConnection = Schema.Struct({
  id: id("npc"),
  object: Schema.Literal("numprov_connection"),
  status: Schema.Literals(["pending", "connected", "failed", "disconnected"]).annotate({
    description: "connected once the provider accepted the key; failed: register the account again."
  }),
  display_name: Schema.String.annotateKey({ description: "Your name for the account." }),
  account_id: Schema.String.annotateKey({ description: "Id of the account at the provider." }),
  environment: EnvironmentKind,
  credential_last_four: nullable(Schema.String, "Last characters of the key, to tell keys apart."),
  webhook_secret_configured: Schema.Boolean.annotate({ description: "Whether the provider's calls can be verified." }),
  latest_operation: nullable(NumprovOperation, "Latest operation."),
  last_discovered_at: nullable(Timestamp, "Time of the latest listing of its numbers."),
  created_at: Timestamp,
  updated_at: Timestamp,
  disconnected_at: nullable(Timestamp, "Time of disconnection; null before it.")
}).annotate({ identifier: "NumprovConnection" })
export type NumprovConnection = typeof NumprovConnection.Type

/** A number of that account, as last listed. */
export const NumprovResource = Schema.Struct({
  id: Schema.String.annotateKey({ description: "The provider's id of the number." }),
  object: Schema.Literal("numprov_resource"),
  provider_number_id: Schema.String.annotateKey({
    description: "The provider's id of the number, under the name that an import uses."
  }),
  phone: Schema.String.annotateKey({ description: "The number." }),
  status: Schema.Literals(["active", "suspended", "released"]).annotate({ description: "Status at the provider." }),
  sms: Schema.Boolean.annotate({ description: "Whether the number receives text messages." }),
  observed_at: Timestamp
}).annotate({ identifier: "NumprovResource" })
export type NumprovResource = typeof NumprovResource.Type
