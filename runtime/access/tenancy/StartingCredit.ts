import type { Row } from "@carteiro/tables/Write.ts"
import { Context } from "effect"

/** The credit of a new organization. gaps-3 D "production_blocked" */
interface StartingCreditAnswer {
  /** Whether production is blocked for want of credit from the first request on. */
  readonly isBlocked: boolean
  /** Its first credit, in the commit that makes the organization; epoch milliseconds. */
  rows(organizationId: string, at: number): ReadonlyArray<Row>
}

/** Told by the room that keeps credit; where none does, nothing is blocked. gaps-3 D "production_blocked" */
export const StartingCredit = Context.Reference<StartingCreditAnswer>(
  "@carteiro/runtime/access/tenancy/StartingCredit",
  { defaultValue: () => ({ isBlocked: false, rows: () => [] }) }
)
