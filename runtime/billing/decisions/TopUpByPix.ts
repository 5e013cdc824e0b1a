import { idempotencyWindowMs } from "@carteiro/owners/Idempotency.ts"
import { answer, commitThen, type Decision, type OwnerHandle, refuse } from "@carteiro/owners/Owner.ts"
import { IdempotencyKeyConflict } from "@carteiro/schema/conventions/SharedErrors.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { Effect } from "effect"
import type { PixTopup } from "../account/AccountItems.ts"
import { type AccountContext, type AccountState, AccountUnit } from "../account/AccountUnit.ts"
import type { ChargeRepo, RequestedCharge } from "../charges/ChargeRepo.ts"
import { insertTopup } from "../topups/TopupWrites.ts"

/** How long a Pix code may be paid, in milliseconds. gaps-3 E "Subscribe details", "Top-up transitions" */
const payableMs = dayMs

/** Returns the charges that earlier requests of these top-ups began. */
export const readPixTopups = (
  topups: ReadonlyArray<PixTopup>,
  accountId: string,
  now: number,
  charges: ChargeRepo["Service"]
): Effect.Effect<ReadonlyArray<RequestedCharge>> => {
  const keys = topups.flatMap(({ request }) => (request === undefined ? [] : [request.key]))
  return charges.requested(accountId, keys, now - idempotencyWindowMs)
}

/** Begins top-ups: top-up and charge in one commit, before any provider is called. gaps-3 E "Top-up transitions" */
export const topUpByPix = (
  topups: ReadonlyArray<PixTopup>,
  requested: ReadonlyArray<RequestedCharge>,
  state: AccountState,
  owner: OwnerHandle,
  context: AccountContext
): ReadonlyArray<Decision<boolean>> =>
  topups.map(({ amount, request, topup_id: id }) => {
    const begun = request && requested.find(({ request_key }) => request_key === request.key)
    if (begun !== undefined) {
      return begun.request_fingerprint === request?.fingerprint ? answer(true) : refuse(new IdempotencyKeyConflict())
    }
    const unit = new AccountUnit(state, context)
    unit.add(
      insertTopup.row({
        account_id: state.account.account_id,
        id,
        kind: "cash",
        amount,
        payment_method: "pix",
        provider: "pixprov2",
        package_code: null,
        quota_messages: null,
        unit_price: null,
        created_at: context.now
      })
    )
    unit.charge({
      id,
      purpose: "topup",
      rail: "pix",
      amount,
      off_session: false,
      payment_method_id: null,
      expires_at: context.now + payableMs,
      request
    })
    return commitThen({
      rows: unit.end(),
      settle: (_keys, passed) => {
        if (!passed) return { retry: "changed" }
        owner.dueAt(context.now)
        return { ok: true }
      }
    })
  })
