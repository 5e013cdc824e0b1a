import {
  AuthorizationDenied,
  DeviceCodeExpired,
  InvalidDeviceAuthorizationRequest,
  InvalidDeviceCode,
  SlowDown
} from "@carteiro/schema/access/AccessErrors.ts"
import type { CreateDeviceAuthorization } from "@carteiro/schema/access/DeviceAuthorization.ts"
import { mayDecide } from "@carteiro/schema/access/Roles.ts"
import type { EnvironmentKind, KeyScope } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { collapsed, keyExpiry, keyExpiryHolds } from "../keys/ApiKeyRules.ts"

/** How long a device authorization is valid, in milliseconds: 15 minutes. A-DEV-11 */
export const deviceLifetime = 900_000

/**
 * How long records are kept, in milliseconds: 24 hours; afterwards the code is unknown. gaps-1 E "Statuses of the
 * terminal errors"
 */
export const deviceRetention = dayMs

/**
 * The seconds between polls: at first, added by a poll that comes too early, and at most. gaps-1 E "Polling too fast"
 */
export const pollInterval = { first: 5, growth: 5, most: 60 } as const

/** How early a poll may come without a refusal, in milliseconds. */
const slack = 500

/** A request as stored; instants in milliseconds. */
export interface DeviceRequest {
  readonly status: "pending" | "approved" | "denied" | "redeemed"
  readonly interval_seconds: number
  readonly last_polled_at: number | null
  readonly created_at: number
  readonly expires_at: number
}

/** A validated create request. */
export interface DevicePlan {
  readonly client_name: string
  readonly environment: EnvironmentKind
  readonly scopes: ReadonlyArray<KeyScope>
  /** Expiry of the key to be issued, milliseconds; `null` never expires. */
  readonly key_expires_at: number | null
}

/**
 * Returns the refusal of a create body because of its instants; the body may be the part before another violation.
 * A-DEV-06
 */
export const deviceOffence = (
  { expires_at }: Partial<CreateDeviceAuthorization>,
  now: number
): InvalidDeviceAuthorizationRequest | undefined =>
  keyExpiryHolds(expires_at, now)
    ? undefined
    : new InvalidDeviceAuthorizationRequest({
        param: "expires_at",
        message: "expires_at must be later than now and at most 5 years ahead."
      })

/** Returns a decoded create body as a plan, or its violation. A-DEV-03..06, gaps-1 E "Scopes that may be asked for" */
export const planDevice = (
  body: CreateDeviceAuthorization,
  now: number
): DevicePlan | InvalidDeviceAuthorizationRequest =>
  deviceOffence(body, now) ?? {
    client_name: clean(body.client_name),
    environment: body.environment,
    scopes: collapsed(body.scopes),
    key_expires_at: keyExpiry(body.expires_at)
  }

/** The result of one poll. With `wait` and `tooFast`, `now` and the stated interval are stored as the last poll. */
export type Poll =
  | { readonly kind: "refuse"; readonly error: ApiError }
  | { readonly kind: "tooFast"; readonly error: SlowDown; readonly interval_seconds: number }
  | { readonly kind: "wait"; readonly interval_seconds: number; readonly expires_in: number }
  | { readonly kind: "redeem" }

/**
 * Returns the result of a poll. Denial takes precedence over expiry, and expiry over pending and approved; these final
 * states are returned at any pace, and only a live request must keep the interval. A-DEV-15..24, gaps-1 E
 */
export const poll = (request: DeviceRequest | undefined, now: number): Poll => {
  if (request === undefined || request.status === "redeemed" || now >= request.created_at + deviceRetention) {
    return refuse(new InvalidDeviceCode({ param: "device_code" }))
  }
  if (request.status === "denied") return refuse(new AuthorizationDenied())
  if (now >= request.expires_at) return refuse(new DeviceCodeExpired({ param: "device_code" }))
  const { interval_seconds, last_polled_at } = request
  if (last_polled_at !== null && now - last_polled_at < interval_seconds * 1000 - slack) {
    const grown = Math.min(interval_seconds + pollInterval.growth, pollInterval.most)
    return { kind: "tooFast", error: new SlowDown({ retry_after_ms: grown * 1000 }), interval_seconds: grown }
  }
  if (request.status === "approved") return { kind: "redeem" }
  return { kind: "wait", interval_seconds, expires_in: Math.ceil((request.expires_at - now) / 1000) }
}

/** Facts that may have changed between approval and the poll that mints. */
export interface MintFacts {
  /** The approver's present role; `undefined` when the approver is no longer an active member. */
  readonly approver_role: string | undefined
  readonly organization_active: boolean
  readonly project_active: boolean
}

/**
 * True when an approval still permits to mint; otherwise the poll answers `authorization_denied`. gaps-1 E "Minting
 * moment and lost answers"
 */
export const approvalHolds = (facts: MintFacts): boolean =>
  facts.approver_role !== undefined &&
  mayDecide(facts.approver_role) &&
  facts.organization_active &&
  facts.project_active

/** Returns the granted scopes: requested and left ticked, in the requested order. gaps-1 E "Verification page" */
export const granted = (requested: ReadonlyArray<KeyScope>, ticked: ReadonlyArray<string>): ReadonlyArray<KeyScope> =>
  requested.filter((scope) => ticked.includes(scope))

const refuse = (error: ApiError): Poll => ({ kind: "refuse", error })
