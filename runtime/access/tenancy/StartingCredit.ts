import type { Row } from "@carteiro/tables/Write.ts"
import { Context } from "effect"

/** The credit of a new organization. gaps-3 D "production_blocked" */
interface StartingCreditAnswer {
  /** True when production is blocked from the first request on because it has no credit. */
  readonly isBlocked: boolean
  /** Returns the rows of the first credit, in the commit that makes the organization; epoch milliseconds. */
  rows(organizationId: string, at: number): ReadonlyArray<Row>
}

/** The room that keeps credit provides it; the default blocks nothing. gaps-3 D "production_blocked" */
export const StartingCredit = Context.Reference<StartingCreditAnswer>(
  "@carteiro/runtime/access/tenancy/StartingCredit",
  { defaultValue: () => ({ isBlocked: false, rows: () => [] }) }
)
