import type { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { InsufficientScope } from "@carteiro/schema/conventions/SharedErrors.ts"

/** A key works while its status is active and its expiry is ahead, the instant itself excluded. gaps-1 C "Expired key" */
export const keyWorks = (
  key: { readonly status: "active" | "revoked"; readonly expires_at: number | null },
  now: number
): boolean => key.status === "active" && (key.expires_at === null || now < key.expires_at)

/** The required scopes a set lacks, in the order required. */
export const missingScopes = (
  required: ReadonlyArray<KeyScope>,
  held: ReadonlyArray<KeyScope>
): ReadonlyArray<KeyScope> => required.filter((scope) => !held.includes(scope))

/** The 403 of a missing scope, naming what is required and what is missing. gaps-1 C "insufficient_scope details" */
export const insufficientScope = (
  required: ReadonlyArray<KeyScope>,
  missing: ReadonlyArray<KeyScope>
): InsufficientScope => new InsufficientScope({ details: { required_scopes: required, missing_scopes: missing } })
