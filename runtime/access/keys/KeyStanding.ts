import type { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { InsufficientScope } from "@carteiro/schema/conventions/SharedErrors.ts"

/**
 * True for a key that works: its status is active and its expiry is ahead, the instant itself excluded. gaps-1 C
 * "Expired key"
 */
export const keyWorks = (
  key: { readonly status: "active" | "revoked"; readonly expires_at: number | null },
  now: number
): boolean => key.status === "active" && (key.expires_at === null || now < key.expires_at)

/** Returns the required scopes that a set lacks, in the required order. */
export const missingScopes = (
  required: ReadonlyArray<KeyScope>,
  held: ReadonlyArray<KeyScope>
): ReadonlyArray<KeyScope> => required.filter((scope) => !held.includes(scope))

/**
 * Returns the 403 of a missing scope, which names the required and the missing scopes. gaps-1 C "insufficient_scope
 * details"
 */
export const insufficientScope = (
  required: ReadonlyArray<KeyScope>,
  missing: ReadonlyArray<KeyScope>
): InsufficientScope => new InsufficientScope({ details: { required_scopes: required, missing_scopes: missing } })
