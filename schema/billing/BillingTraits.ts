import { InvalidBillingQuery } from "./BillingErrors.ts"

/**
 * Traits of every billing read: one scope, open under a credit block. gaps-3 A "Scope, idempotency and success status
 * of every route"
 */
export const readTraits = { scopes: ["billing:read"], rate: "read", validation: InvalidBillingQuery.code } as const

/** Traits of billing lists, which refuse unknown parameters. gaps-1 A "Unknown query parameters" */
export const listTraits = { ...readTraits, strictQuery: true } as const
