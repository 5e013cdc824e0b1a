import { InvalidBillingQuery } from "./BillingErrors.ts"

/** Every read of billing: one scope, open under a credit block, unknown parameters refused. gaps-3 A "Scope, idempotency and success status of every route" */
export const readTraits = {
  scopes: ["billing:read"],
  rate: "read",
  validation: InvalidBillingQuery.code,
  strictQuery: true
} as const
