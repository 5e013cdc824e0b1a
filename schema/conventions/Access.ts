import { Context, Schema } from "effect"
import type { ApiError } from "./ApiError.ts"

/** The scope catalog; write never implies read. gaps-1 C "Scope catalog", A-AUTH-12 */
export const KeyScope = Schema.Literals([
  "messages:read",
  "messages:write",
  "templates:read",
  "templates:write",
  "contacts:read",
  "contacts:write",
  "groups:read",
  "groups:write",
  "payments:read",
  "payments:write",
  "billing:read",
  "billing:write",
  "phone_numbers:read",
  "phone_numbers:write",
  "provider_connections:read",
  "provider_connections:write",
  "projects:read",
  "projects:write",
  "webhooks:read",
  "webhooks:write",
  "logs:read",
  "sandbox:write",
  "api_keys:admin"
]).annotate({ identifier: "KeyScope" })
export type KeyScope = typeof KeyScope.Type

/** `sandbox` or `production`. A-CONV-01 */
export const EnvironmentKind = Schema.Literals(["sandbox", "production"]).annotate({
  description: "sandbox: simulated, free, nothing leaves. production: real customers."
})
export type EnvironmentKind = typeof EnvironmentKind.Type

/** Capability families an owner or admin can switch off per environment. gaps-1 N */
export const Capability = Schema.Literals(["messaging", "groups", "payments", "phone_provisioning"])
export type Capability = typeof Capability.Type

/** Which bucket table row a request draws from. gaps-1 M */
export const RateClass = Schema.Literals([
  "read",
  "write",
  "key_write",
  "project_create",
  "endpoint_write",
  "endpoint_test",
  "resend",
  "bulk_resend",
  "listen",
  "listen_session_create",
  "feedback_write",
  "device_create",
  "device_token",
  "inbound_simulation",
  "opt_out",
  "phone_provision",
  "media_blob",
  "handoff"
])
export type RateClass = typeof RateClass.Type

/** Everything the request pipeline must know about an operation before its handler runs. */
export interface OperationTraits {
  /**
   * `key` (default); `own` for routes that look at a credential of their own in its place; `none` for the device routes and
   * capability URLs. A-AUTH-01
   */
  readonly authentication?: "key" | "own" | "none"
  /** Scopes the key must hold; empty means any valid key. gaps-1 C, gaps-2 A */
  readonly scopes: ReadonlyArray<KeyScope>
  readonly rate: RateClass
  /** Code of this route's 400 for a body or query that breaks the contract. gaps-1 A "Validation code of each route" */
  readonly validation: string
  /**
   * `none`: the header has no effect; `optional`; `required`: a missing or blank key answers `missing`.
   * `perKey` binds the calling API key into the key's scope, for answers that hold a secret. A-IDEM-02, gaps-1 B
   */
  readonly idempotency?: "none" | "optional" | "required"
  readonly missingKeyCode?: "idempotency_key_required" | "missing_idempotency_key"
  readonly perKey?: boolean
  /** Unknown body fields are refused. gaps-1 A "Unknown body fields", gaps-2 A */
  readonly strictBody?: boolean
  /** Unknown query parameters are refused (lists). gaps-1 A */
  readonly strictQuery?: boolean
  /** A production key is refused under a credit block. gaps-1 C "What credit exhaustion restricts" */
  readonly restrictedWithoutCredit?: boolean
  /** Only sandbox keys; a production key answers 400 `sandbox_only_route` after scope. gaps-2 A */
  readonly sandboxOnly?: boolean
  /** The refusal of a production key where the route has one of its own. gaps-3 A "Production key on a sandbox route" */
  readonly sandboxOnlyRefusal?: () => ApiError
  /** Checked first after the idempotency step. gaps-2 A "Feature families" */
  readonly capability?: Capability
  /** Body limit in bytes; 10,485,760 unless said otherwise. A-LIM-01 */
  readonly maxBodyBytes?: number
  /** A body over this many bytes, and within the limit above, is answered with `validation` and no param. A-FBK-17 */
  readonly softBodyBytes?: number
  /** The body is validated before the rate limit (sandbox inbound simulation). gaps-2 A */
  readonly bodyBeforeRate?: boolean
  /** The handler draws its own token: feedback, endpoint test, listen session create. gaps-1 A "Order of checks in one request" */
  readonly rateInHandler?: boolean
  /** The handler looks the idempotency key up, after its own checks (endpoint test). gaps-1 A "Order of checks in one request" */
  readonly idempotencyInHandler?: boolean
  /** A bucket of the source address, over all keys, drawn from before authentication (opt-out). gaps-2 A "Check order on every doc-2 route" */
  readonly sourceCeiling?: RateClass
  /** The token is drawn after the idempotency step, so that replays are free (feedback). gaps-1 A "Order of checks in one request" */
  readonly rateAfterIdempotency?: boolean
  /** It lives on real time in a sandbox whose clock was turned: keys and sessions of people. */
  readonly realTime?: boolean
  /** It may wait for what comes, so it does not count among the calls a node works on. */
  readonly longPoll?: boolean
  /** HEAD is answered as GET unless this is true (listen). gaps-1 A */
  readonly noHead?: boolean
}

/** Whether a route takes a key of the API. A-AUTH-01 */
export const takesApiKey = ({ authentication = "key" }: OperationTraits): boolean => authentication === "key"

/** The annotation under which an endpoint of the contract carries its traits. */
export class Traits extends Context.Service<Traits, OperationTraits>()("@carteiro/schema/conventions/Traits") {}
