import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { ownersOfTenant, walkOwners } from "@carteiro/tables/WalkOwners.ts"

/** Rows with a due time, in the wording of their index. */
const sources = {
  agentic_authorizations: "agentic_authorizations where due_at is not null",
  agentic_payments: "agentic_payments where due_at is not null",
  payment_requests: "payment_requests where due_at is not null and environment = 'production'",
  sandbox_payments: "payment_requests where due_at is not null and environment = 'sandbox'"
} as const

/** Returns environments with a due row. */
export const dueEnvironments = (source: keyof typeof sources): Pick<DueOwners, "due" | "ofTenant"> => {
  const rows = `select environment_id as owner, due_at from ${sources[source]}`
  return { due: walkOwners(rows), ofTenant: ownersOfTenant("select $1::text as id", rows) }
}
