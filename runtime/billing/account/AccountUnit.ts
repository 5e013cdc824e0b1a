import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import type { IdPrefix } from "@carteiro/schema/conventions/Ids.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { monthOf } from "@carteiro/spellings/Months.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { CardCustomer, SavedCard } from "../cards/SavedCard.ts"
import type { ChargeWaiters } from "../charges/ChargeWaiters.ts"
import { insertCharge } from "../charges/ChargeWrites.ts"
import type { Invoice, Subscription } from "../subscription/Subscription.ts"
import { type AutoTopup, crossed, isAbove, isDue } from "../topups/AutoTopup.ts"
import { saveAutoTopup } from "../topups/AutoTopupWrites.ts"
import type { OpenPackage } from "../topups/PackageQuota.ts"
import { insertTopup } from "../topups/TopupWrites.ts"
import { countsAsSpending, type PostingContext, postingRows } from "../wallet/Postings.ts"
import type { Spending } from "../wallet/Spending.ts"
import { apply, type Movement, type Reservation, type Wallet } from "../wallet/Wallet.ts"
import type { WalletRow } from "../wallet/WalletRepo.ts"
import { closeUnpaidMonths } from "./UnpaidMonths.ts"

/** The state of an account in its owner's memory. */
export interface AccountState {
  readonly account: WalletRow
  wallet: Wallet
  /** The projects' spending, including debits that are not written yet. */
  readonly spending: Spending
  /** The most recent reservations, up to a limit; the others are only in the database. */
  readonly reservations: Map<string, Reservation>
  /** The account's customer at the card processor; undefined until one is needed. */
  customer: CardCustomer | undefined
  /** Saved cards by id, deleted ones included. */
  readonly cards: Map<string, SavedCard>
  /** Undefined until the settings are made for the first time. */
  auto: AutoTopup | undefined
  /** True when the balance was compared with the threshold since the account was loaded. */
  isReviewed: boolean
  subscription: Subscription
  /** Invoices that may still be paid, by id; at most one is open. */
  readonly invoices: Map<string, Invoice>
  /** Packages with messages left, the oldest first. */
  packages: ReadonlyArray<OpenPackage>
  /** True after a top-up ended: packages are read again before usage is charged. */
  packagesChanged: boolean
  /** Charges that are still polled: while there are any, each pass finds those that are due. */
  readonly openCharges: Set<string>
  readonly waiters: ChargeWaiters
  /** True when the charge of some month is not covered yet. */
  hasUnpaidMonths: boolean
}

/** The current time and the source of ids. */
export interface AccountContext extends PostingContext {
  /** The same instant on the real clock, for what the organization is told. */
  readonly realNow: RealInstant
  readonly mint: (prefix: IdPrefix, now: number) => string
}

/** A charge that a room requests; amounts in 1/10,000 BRL, instants in epoch milliseconds. */
export interface ChargeOrder {
  /** The id of the top-up or invoice; the provider knows the charge by it. */
  readonly id: string
  readonly purpose: "topup" | "invoice"
  readonly rail: "card" | "pix"
  readonly amount: number
  /** True when no cardholder is present to authenticate. */
  readonly off_session: boolean
  /** The saved card, for a charge by card. */
  readonly payment_method_id: string | null
  readonly expires_at: number
  /** The request that asks for the charge, so that a repeated request finds it. */
  readonly request?: { readonly key: string; readonly fingerprint: string } | undefined
}

/** How long an automatic charge may remain without an answer, in milliseconds. gaps-3 E "Auto top-up execution" */
const automaticMs = dayMs

/**
 * One commit of an account's owner: movements of the wallet with their consequences, charges, and all rows that belong
 * to them. Memory changes as rows are added; when the commit is not written, the owner loads the account again.
 */
export class AccountUnit {
  private readonly written: Array<Row> = []
  private readonly before: AutoTopup | undefined
  private readonly state: AccountState
  readonly context: AccountContext

  constructor(state: AccountState, context: AccountContext) {
    this.state = state
    this.context = context
    this.before = state.auto
  }

  add(...rows: ReadonlyArray<Row>): void {
    this.written.push(...rows)
  }

  /**
   * Moves the wallet; with a project, the movement counts as its spending. A movement that takes the balance from above
   * the threshold to it or below starts an automatic top-up in the same commit. gaps-3 E "Auto top-up trigger"
   */
  move(movement: Movement, projectId: string | null): void {
    const { context, state } = this
    this.add(...postingRows(movement, projectId, context))
    const { balance } = state.wallet
    state.wallet = apply(state.wallet, movement)
    if (countsAsSpending(movement, state.account.environment, projectId)) {
      state.spending.add(projectId, monthOf(context.now), movement.amount)
    }
    this.payMonths()
    if (state.auto !== undefined) this.look(state.auto, balance)
  }

  /** Compares the present balance with the threshold, as after a movement that memory did not see. */
  review(): void {
    const { auto } = this.state
    this.payMonths()
    if (auto !== undefined) this.look(auto, auto.threshold + (auto.is_above ? 1 : 0))
  }

  /** Adds a charge, which the queue of charges then executes. */
  charge(order: ChargeOrder): void {
    const { context, state } = this
    const { request, ...rest } = order
    const card = order.payment_method_id === null ? undefined : state.cards.get(order.payment_method_id)
    this.add(
      insertCharge.row({
        ...rest,
        account_id: state.account.account_id,
        customer: card === undefined ? null : (state.customer?.id ?? null),
        card: card?.card ?? null,
        request_key: request?.key ?? null,
        request_fingerprint: request?.fingerprint ?? null,
        created_at: context.now,
        due_at: context.now
      })
    )
    state.openCharges.add(order.id)
  }

  /** Returns all rows, with the resulting state of automatic top-up. */
  end(): ReadonlyArray<Row> {
    const { auto } = this.state
    if (auto !== undefined && auto !== this.before) {
      this.add(saveAutoTopup.row({ ...auto, account_id: this.state.account.account_id }))
    }
    return this.written
  }

  /** Marks unpaid months as paid when the balance is zero or above. gaps-3 F "Unpaid-month evidence" */
  private payMonths(): void {
    const { context, state } = this
    if (!state.hasUnpaidMonths || state.wallet.balance < 0) return
    this.add(closeUnpaidMonths.row({ account_id: state.account.account_id, closed_at: context.now }))
    state.hasUnpaidMonths = false
  }

  private look(auto: AutoTopup, before: number): void {
    const { balance } = this.state.wallet
    if (!crossed(auto, before, balance)) {
      const above = isAbove(auto, balance)
      if (above !== auto.is_above) this.state.auto = { ...auto, is_above: above }
      return
    }
    this.state.auto = { ...auto, is_above: false }
    if (isDue(auto)) this.run(auto)
  }

  private run(auto: AutoTopup): void {
    const { context, state } = this
    const { now } = context
    const { amount, payment_method_id } = auto
    const id = context.mint("ctu", now)
    this.add(
      insertTopup.row({
        account_id: state.account.account_id,
        id,
        kind: "cash",
        amount,
        payment_method: "card",
        provider: "cardproc",
        package_code: null,
        quota_messages: null,
        unit_price: null,
        created_at: now
      })
    )
    this.charge({
      id,
      purpose: "topup",
      rail: "card",
      amount,
      off_session: true,
      payment_method_id,
      expires_at: now + automaticMs
    })
    state.auto = { ...auto, is_above: false, open_topup_id: id, last_triggered_at: now }
  }
}
