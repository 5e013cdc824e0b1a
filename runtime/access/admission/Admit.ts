import type { Caller } from "@carteiro/http-edge/Admission.ts"
import { SandboxOnlyRoute } from "@carteiro/schema/access/AccessErrors.ts"
import type { Capability, EnvironmentKind, KeyScope, OperationTraits } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import {
  AuthenticationError,
  CreditBalanceExhausted,
  keyRefusals,
  OrganizationNotFound,
  OrganizationSuspended,
  ProjectNotFound
} from "@carteiro/schema/conventions/SharedErrors.ts"
import { insufficientScope, keyWorks, missingScopes } from "../keys/KeyStanding.ts"

/** The facts that one admission read gathers about a key; `undefined` for a key that does not exist. */
export interface AdmissionFacts {
  readonly organization_id: string
  readonly project_id: string
  readonly environment_id: string
  readonly api_key_id: string
  readonly key_prefix: string
  readonly environment: EnvironmentKind
  readonly scopes: ReadonlyArray<KeyScope>
  readonly status: "active" | "revoked"
  /** Milliseconds; `null` never expires. */
  readonly expires_at: number | null
  readonly organization_suspended: boolean
  readonly organization_removed: boolean
  readonly credit_blocked: boolean
  readonly project_deleted: boolean
  /** True when the project's debits of the UTC month have reached its cap. gaps-1 N "Monthly spend cap" */
  readonly over_spend_cap: boolean
  readonly capabilities_off: ReadonlyArray<Capability>
  /** The country in which the project reads national phone numbers. */
  readonly default_region: string
}

/** The parts of the request on which the decision depends. */
export interface AdmissionRequest {
  readonly traits: Pick<OperationTraits, "scopes" | "sandboxOnly" | "restrictedWithoutCredit">
  /** `<group>.<endpoint>` of the contract. */
  readonly operation: string
  readonly now: number
  /**
   * True when a completed idempotency record exists for the request's key. The request then runs nothing: its response
   * is replayed also under a credit block, or a different request with that key gets the conflict.
   */
  readonly completed: boolean
}

/** The one operation whose refusal distinguishes a removed organization from a deleted project. A-PROJ-12 */
export const createProjectOperation = "projects.create"

/**
 * Returns the first refusal of a request by key and tenancy, `undefined` when they admit it: 401, suspended 403, scope
 * 403, 404 of a deleted project, 400 of a sandbox route, credit 402. gaps-1 A "Order of checks in one request",
 * A-AUTH-03..19
 */
export const findRefusal = (facts: AdmissionFacts | undefined, request: AdmissionRequest): ApiError | undefined => {
  const { traits } = request
  if (facts === undefined) return new AuthenticationError({ message: keyRefusals.unknown })
  if (!keyWorks(facts, request.now)) return new AuthenticationError({ message: keyRefusals.revoked_or_expired })
  if (facts.organization_suspended) return new OrganizationSuspended()
  const missing = missingScopes(traits.scopes, facts.scopes)
  if (missing.length > 0) return insufficientScope(traits.scopes, missing)
  if (facts.organization_removed) {
    return request.operation === createProjectOperation ? new OrganizationNotFound() : new ProjectNotFound()
  }
  if (facts.project_deleted) return new ProjectNotFound()
  const production = facts.environment === "production"
  if (traits.sandboxOnly === true && production) return new SandboxOnlyRoute()
  if (traits.restrictedWithoutCredit === true && production && facts.credit_blocked && !request.completed) {
    return new CreditBalanceExhausted()
  }
  return undefined
}

/** Returns the caller as handlers see it. */
export const callerOf = (facts: AdmissionFacts): Caller => ({
  organization_id: facts.organization_id,
  project_id: facts.project_id,
  environment_id: facts.environment_id,
  environment: facts.environment,
  api_key_id: facts.api_key_id,
  key_prefix: facts.key_prefix,
  scopes: facts.scopes,
  capabilities_off: facts.capabilities_off,
  over_spend_cap: facts.over_spend_cap,
  default_region: facts.default_region
})

/** Returns the refusal as the route says it: some routes of sandbox keys have a refusal of their own. gaps-2 A */
export const asRouteSays = (refusal: ApiError, traits: Pick<OperationTraits, "sandboxOnlyRefusal">): ApiError =>
  (refusal._tag === "sandbox_only_route" ? traits.sandboxOnlyRefusal?.() : undefined) ?? refusal
