import { InvalidBillingQuery } from "./BillingErrors.ts"

/** Every read of billing: one scope, open under a credit block. gaps-3 A "Scope, idempotency and success status of every route" */
export const readTraits = { scopes: ["billing:read"], rate: "read", validation: InvalidBillingQuery.code } as const

/** Lists of billing, which refuse unknown parameters. gaps-1 A "Unknown query parameters" */
export const listTraits = { ...readTraits, strictQuery: true } as const
