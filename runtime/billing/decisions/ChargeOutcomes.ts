import type { Row } from "@carteiro/tables/Write.ts"
import { type AccountContext, type AccountState, AccountUnit } from "../account/AccountUnit.ts"
import type { Charge, ChargeOutcome, ChargeStep } from "../charges/Charge.ts"
import { followInvoice } from "./SubscriptionMoves.ts"
import { followTopup } from "./TopupOutcome.ts"

/**
 * Adds the consequences of an outcome to its commit, decided on the account's memory. `was` is the charge's state
 * before.
 */
type FollowCharge = (
  charge: Charge,
  outcome: ChargeOutcome,
  unit: AccountUnit,
  state: AccountState,
  was: Charge["state"]
) => void

/** The consequences of a charge, by its purpose. */
const purposes: { readonly [P in Charge["purpose"]]: FollowCharge } = { topup: followTopup, invoice: followInvoice }

/** Returns the rows of a look-up, after `recorded`, with the consequences of an outcome. */
export const followStep = (
  { charge, outcome, was }: ChargeStep,
  recorded: Row,
  state: AccountState,
  context: AccountContext
): ReadonlyArray<Row> => {
  const unit = new AccountUnit(state, context)
  unit.add(recorded)
  if (outcome !== null) purposes[charge.purpose](charge, outcome, unit, state, was)
  return unit.end()
}
