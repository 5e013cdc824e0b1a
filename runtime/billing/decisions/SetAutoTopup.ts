import { reply } from "@carteiro/http-edge/Reply.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { commitThen, type Decision, refuse } from "@carteiro/owners/Owner.ts"
import { PaymentMethodNotFound } from "@carteiro/schema/billing/BillingErrors.ts"
import type { StoredReply } from "../account/AccountAct.ts"
import type { AutoTopupSetting } from "../account/AccountItems.ts"
import { type AccountContext, type AccountState, AccountUnit } from "../account/AccountUnit.ts"
import { setByCaller } from "../topups/AutoTopup.ts"
import { readAutoTopup } from "../topups/AutoTopupRead.ts"
import { payingCard } from "./BuyPackage.ts"

/** Sets the automatic top-up of accounts, without any charge. C-ATOP-02..05, gaps-3 E "Auto top-up card choice" */
export const setAutoTopups = (
  settings: ReadonlyArray<AutoTopupSetting>,
  state: AccountState,
  context: AccountContext
): ReadonlyArray<Decision<StoredReply>> =>
  settings.map((setting) => {
    const { amount, claim, enabled, threshold } = setting
    // While automatic top-up is off, the named card is stored unchecked; a malformed id is stored as no card.
    if (setting.payment_method_id !== null && !parseId("bpm", setting.payment_method_id)) {
      return refuse(new PaymentMethodNotFound())
    }
    const card = enabled ? payingCard(state, setting.payment_method_id) : undefined
    if (card !== undefined && "_tag" in card) return refuse(card)
    const unit = new AccountUnit(state, context)
    const payment_method_id = card?.id ?? setting.payment_method_id
    const set = { enabled, threshold, amount, payment_method_id }
    state.auto = setByCaller(state.auto, set, state.wallet.balance, context.now)
    const { body, status } = reply(setting, 200, readAutoTopup(state.account.account_id, state.auto))
    return commitThen({
      rows: unit.end(),
      claim,
      response: { status, body },
      settle: (_keys, passed) => (passed ? { ok: { status, body } } : { retry: "changed" })
    })
  })
