import { ApiKeyNotActive, InvalidApiKeyRequest } from "@carteiro/schema/access/AccessErrors.ts"
import type { CreateApiKey } from "@carteiro/schema/access/ApiKey.ts"
import type { EnvironmentKind, KeyScope } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { id } from "@carteiro/schema/conventions/Ids.ts"
import { ProjectNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Schema } from "effect"
import { insufficientScope, keyWorks, missingScopes } from "./KeyStanding.ts"

/**
 * The most active keys of an environment; expired ones count, because their status stays active. gaps-1 F "Number of
 * keys"
 */
export const apiKeyLimit = 100

/** The key that calls a key route. */
export interface Minter {
  readonly organization_id: string
  readonly project_id: string
  readonly environment: EnvironmentKind
  readonly scopes: ReadonlyArray<KeyScope>
}

/** A create request that is known to be allowed. */
export interface MintPlan {
  readonly name: string
  /** The project of the new key; always in the minter's organization and environment kind. A-KEY-14..16 */
  readonly project_id: string
  readonly scopes: ReadonlyArray<KeyScope>
  /** Milliseconds; `null` never expires. */
  readonly expires_at: number | null
}

/** The place of a new key, and its permissions. */
export interface NewApiKey {
  readonly organization_id: string
  readonly project_id: string
  readonly environment_id: string
  readonly environment: EnvironmentKind
  readonly name: string
  readonly scopes: ReadonlyArray<KeyScope>
  readonly kind: "standard" | "agent"
  /** Milliseconds; `null` never expires. */
  readonly expires_at: number | null
}

/** True for an expiry later than now and at most 5 calendar years ahead, in milliseconds. gaps-1 E, F */
export const expiryWithinBounds = (expiresAt: number, now: number): boolean => {
  const latest = new Date(now)
  latest.setUTCFullYear(latest.getUTCFullYear() + 5)
  return expiresAt > now && expiresAt <= latest.getTime()
}

/** Returns the expiry that a body asks for, in milliseconds; `null` for none. */
export const keyExpiry = (expiresAt: string | null | undefined): number | null =>
  expiresAt == null ? null : (parseTimestamp(expiresAt) ?? Number.NaN)

/** True when that expiry is within its bounds, or absent. */
export const keyExpiryHolds = (expiresAt: string | null | undefined, now: number): boolean => {
  const at = keyExpiry(expiresAt)
  return at === null || expiryWithinBounds(at, now)
}

/** Returns the scopes without repeats, in the order first named. gaps-1 F "Answer to a scope violation" */
export const collapsed = (scopes: ReadonlyArray<KeyScope>): ReadonlyArray<KeyScope> => [...new Set(scopes)]

/**
 * Returns the first violation of a create body (or of its part before another violation) that depends on the minter and
 * the clock, in field order. The minter holds `api_keys:admin`, which cannot be granted, so an accepted set is strictly
 * smaller than its own. A-KEY-20, gaps-1 F
 */
export const createOffence = (
  body: Partial<CreateApiKey>,
  minter: Pick<Minter, "environment" | "scopes">,
  now: number
): InvalidApiKeyRequest | undefined => {
  if (body.environment !== undefined && body.environment !== minter.environment) {
    return refused("environment", "environment must be the environment of the calling key.")
  }
  const foreign = body.scopes?.findIndex((scope) => !minter.scopes.includes(scope)) ?? -1
  if (foreign >= 0) return refused(`scopes.${foreign}`, "A key can grant only scopes it holds.")
  return keyExpiryHolds(body.expires_at, now)
    ? undefined
    : refused("expires_at", "expires_at must be later than now and at most 5 years ahead.")
}

/** Returns a decoded create body as a plan, or its first violation. A-KEY-14..16 */
export const planCreate = (body: CreateApiKey, minter: Minter, now: number): MintPlan | InvalidApiKeyRequest =>
  createOffence(body, minter, now) ?? {
    name: clean(body.name),
    project_id: body.project_id ?? minter.project_id,
    scopes: collapsed(body.scopes),
    expires_at: keyExpiry(body.expires_at)
  }

/** The target project of a new key; `undefined` when no such row exists. */
export interface TargetProject {
  readonly organization_id: string
  readonly archived: boolean
  readonly deleted: boolean
}

/** True when a text has the form of a project's id; any other text costs no read. gaps-1 A */
export const isProjectId = Schema.is(id("prj"))

/** Refuses missing, foreign, archived and deleted targets with one 404, the minter's own project included. A-KEY-17 */
export const targetRefusal = (target: TargetProject | undefined, minter: Minter): ProjectNotFound | undefined =>
  target === undefined || target.organization_id !== minter.organization_id || target.archived || target.deleted
    ? new ProjectNotFound()
    : undefined

/** The parts of a key on which rotation depends. */
export interface RotatableKey {
  readonly status: "active" | "revoked"
  readonly expires_at: number | null
  readonly scopes: ReadonlyArray<KeyScope>
}

/**
 * Refuses the rotation of a key: it returns a secret, so the caller must hold every scope of the key, and only working
 * keys rotate. gaps-1 F "Rotating with fewer scopes", "Rotating or renaming inactive keys"
 */
export const rotateRefusal = (
  key: RotatableKey,
  callerScopes: ReadonlyArray<KeyScope>,
  now: number
): ApiError | undefined => {
  const missing = missingScopes(key.scopes, callerScopes)
  if (missing.length > 0) return insufficientScope(key.scopes, missing)
  return keyWorks(key, now) ? undefined : new ApiKeyNotActive()
}

const refused = (param: string, message: string): InvalidApiKeyRequest => new InvalidApiKeyRequest({ param, message })
