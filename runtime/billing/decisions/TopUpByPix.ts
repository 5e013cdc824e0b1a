import { commitThen, type Decision, type OwnerHandle } from "@carteiro/owners/Owner.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { PixTopup } from "../account/AccountItems.ts"
import { type AccountContext, type AccountState, AccountUnit } from "../account/AccountUnit.ts"
import { insertTopup } from "../topups/TopupWrites.ts"

/** How long a Pix code may be paid, in milliseconds. gaps-3 E "Subscribe details", "Top-up transitions" */
const payableMs = dayMs

/** Begins top-ups: top-up and charge in one commit, before any provider is called. gaps-3 E "Top-up transitions" */
export const topUpByPix = (
  topups: ReadonlyArray<typeof PixTopup.Type>,
  state: AccountState,
  owner: OwnerHandle,
  context: AccountContext
): ReadonlyArray<Decision<boolean>> =>
  topups.map(({ amount, topup_id: id }) => {
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
      expires_at: context.now + payableMs
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
