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
  description: "sandbox: simulated and free, without real deliveries. production: real customers."
})
export type EnvironmentKind = typeof EnvironmentKind.Type

/** Capability families that an owner or admin can switch off per environment. gaps-1 N */
export const Capability = Schema.Literals(["messaging", "groups", "payments", "phone_provisioning"])
export type Capability = typeof Capability.Type

/** The roles of the dashboard, the most powerful first. gaps-1 C "Dashboard sessions and roles" */
export const MemberRole = Schema.Literals(["owner", "admin", "member"])
export type MemberRole = typeof MemberRole.Type

/** The rate limit bucket of a request. gaps-1 M */
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

/**
 * What an accepted request was warned of in the header `svc-warning`. gaps-2 A "Phones outside `recipient.id`", gaps-3
 * "Amendments of November 2026"
 */
export const RequestWarning = Schema.Literals(["invalid_phone_number", "tax_id_check_digits"])
export type RequestWarning = typeof RequestWarning.Type

/** What each warning means, in a sentence. */
export const warningSentences: Readonly<Record<RequestWarning, string>> = {
  invalid_phone_number: "No country has this phone number.",
  tax_id_check_digits: "The last two digits of the tax id do not fit the others."
}

/** The facts about an operation that the request pipeline needs before its handler runs. */
export interface OperationTraits {
  /**
   * `key` (default); `own` for routes that check another credential instead; `none` for the device routes and
   * capability URLs; `person` for operations of signed-in people, which no path leads to from outside. A-AUTH-01
   */
  readonly authentication?: "key" | "own" | "none" | "person"
  /** Scopes the key must hold; empty means any valid key. gaps-1 C, gaps-2 A */
  readonly scopes: ReadonlyArray<KeyScope>
  readonly rate: RateClass
  /**
   * The code of this route's 400 for a body or query that breaks the contract. gaps-1 A "Validation code of each route"
   */
  readonly validation: string
  /**
   * `none`: the header has no effect; `optional`; `required`: a missing or blank key is refused as missing. `perKey`
   * binds the calling API key into the idempotency key's scope, for responses that hold a secret. A-IDEM-02, gaps-1 B
   */
  readonly idempotency?: "none" | "optional" | "required"
  readonly missingKeyCode?: "idempotency_key_required" | "missing_idempotency_key"
  readonly perKey?: boolean
  /** The warning that the header `svc-warning` of a success may have. */
  readonly warning?: RequestWarning
  /** True when unknown body fields are refused. gaps-1 A "Unknown body fields", gaps-2 A */
  readonly strictBody?: boolean
  /** True when unknown query parameters are refused (lists). gaps-1 A */
  readonly strictQuery?: boolean
  /** True when a production key is refused under a credit block. gaps-1 C "What credit exhaustion restricts" */
  readonly restrictedWithoutCredit?: boolean
  /**
   * True for routes of sandbox keys only; a production key gets 400 `sandbox_only_route` after the scope check. gaps-2
   * A
   */
  readonly sandboxOnly?: boolean
  /**
   * Makes the refusal of a production key on routes with their own code. gaps-3 A "Production key on a sandbox route"
   */
  readonly sandboxOnlyRefusal?: () => ApiError
  /** The capability that is checked first after the idempotency step. gaps-2 A "Feature families" */
  readonly capability?: Capability
  /** Body limit in bytes; 10,485,760 by default. A-LIM-01 */
  readonly maxBodyBytes?: number
  /** The size in bytes above which a body within the limit above is refused with `validation` and no param. A-FBK-17 */
  readonly softBodyBytes?: number
  /** True when the body is validated before the rate limit (sandbox inbound simulation). gaps-2 A */
  readonly bodyBeforeRate?: boolean
  /**
   * True when the handler takes its own rate token: feedback, endpoint test, listen session create. gaps-1 A "Order of
   * checks in one request"
   */
  readonly rateInHandler?: boolean
  /**
   * True when the handler looks up the idempotency key after its own checks (endpoint test). gaps-1 A "Order of checks
   * in one request"
   */
  readonly idempotencyInHandler?: boolean
  /**
   * A rate bucket of the source address over all keys, checked before authentication (opt-out). gaps-2 A "Check order
   * on every doc-2 route"
   */
  readonly sourceCeiling?: RateClass
  /**
   * True when the rate token is taken after the idempotency step, so that replays are free (feedback). gaps-1 A "Order
   * of checks in one request"
   */
  readonly rateAfterIdempotency?: boolean
  /**
   * True for routes that use real time even in a sandbox with a turned clock: what belongs to the organization or to
   * people. gaps-1 "Sandbox clock"
   */
  readonly realTime?: boolean
  /** True when the request may wait for events, so that it does not count among the node's running requests. */
  readonly longPoll?: boolean
  /**
   * True when the response may come from a replica that lags behind. Lists may, unless this is false; other responses may
   * not, unless it is true.
   */
  readonly mayLag?: boolean
  /** True when HEAD is not answered like GET (listen). gaps-1 A */
  readonly noHead?: boolean
}

/** True when a route takes an API key. A-AUTH-01 */
export const takesApiKey = ({ authentication = "key" }: OperationTraits): boolean => authentication === "key"

/** The annotation that holds the traits of an endpoint of the contract. */
export class Traits extends Context.Service<Traits, OperationTraits>()("@carteiro/schema/conventions/Traits") {}
