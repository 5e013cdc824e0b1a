import type { IdPrefix } from "@carteiro/schema/conventions/Ids.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { monthOf } from "../../locale/Months.ts"
import { type AutoTopup, crossed, isAbove, isDue } from "../auto-topup/AutoTopup.ts"
import { saveAutoTopup } from "../auto-topup/AutoTopupWrites.ts"
import type { CardCustomer, SavedCard } from "../cards/SavedCard.ts"
import type { ChargeWaiters } from "../charges/ChargeWaiters.ts"
import { insertCharge } from "../charges/ChargeWrites.ts"
import type { Invoice, Subscription } from "../subscription/Subscription.ts"
import type { OpenPackage } from "../topups/PackageQuota.ts"
import { insertTopup } from "../topups/TopupWrites.ts"
import { closeUnpaidMonths } from "../unpaid/UnpaidMonths.ts"
import { countsAsSpending, type PostingGround, postingRows } from "../wallet/Postings.ts"
import type { Spending } from "../wallet/Spending.ts"
import { apply, type Movement, type Reservation, type Wallet } from "../wallet/Wallet.ts"
import type { WalletRow } from "../wallet/WalletRepo.ts"

/** The state of an account in its owner's memory. */
export interface AccountState {
  readonly account: WalletRow
  wallet: Wallet
  /** Spending of the projects, debits that are not written yet included. */
  readonly spending: Spending
  /** Reservations of late, at most so many; the others are rows. */
  readonly reservations: Map<string, Reservation>
  /** Who the account is at the card processor; undefined until it has to be somebody. */
  customer: CardCustomer | undefined
  /** Saved cards by id, deleted ones included. */
  readonly cards: Map<string, SavedCard>
  /** Undefined until it is set for the first time. */
  auto: AutoTopup | undefined
  /** Whether the balance was held against the threshold since it was loaded. */
  isReviewed: boolean
  subscription: Subscription
  /** Invoices that may still be paid, by id; at most one is open. */
  readonly invoices: Map<string, Invoice>
  /** Packages with messages left, the oldest first. */
  packages: ReadonlyArray<OpenPackage>
  /** A top-up has ended: packages are read again before usage is charged. */
  packagesChanged: boolean
  /** Charges that are looked at again: while there are any, each pass looks which are due. */
  readonly openCharges: Set<string>
  readonly waiters: ChargeWaiters
  /** Whether the charge of some month is not covered yet. */
  hasUnpaidMonths: boolean
}

/** When it is, and where ids come from. */
export interface AccountGround extends PostingGround {
  readonly mint: (prefix: IdPrefix, now: number) => string
}

/** Something to be paid, as a room asks for it; amounts in 1/10,000 BRL, instants in epoch milliseconds. */
export interface ChargeOrder {
  /** Of what it is for: the provider knows it by this. */
  readonly id: string
  readonly purpose: "topup" | "invoice"
  readonly rail: "card" | "pix"
  readonly amount: number
  /** Nobody is there to prove who they are. */
  readonly off_session: boolean
  /** The saved card, on the rail of cards. */
  readonly payment_method_id: string | null
  readonly expires_at: number
  /** The request that asks for it, so that a repeated one finds it. */
  readonly request?: { readonly key: string; readonly fingerprint: string } | undefined
}

/** How long an automatic charge may stay without an answer, in milliseconds. gaps-3 E "Auto top-up execution" */
const automaticMs = 24 * 3_600_000

/**
 * One unit that an account's owner writes: movements of the wallet with what follows from them, charges, and everything that
 * stands or falls with them. Memory moves as rows are added; a unit that is not written has its owner load again.
 */
export class AccountUnit {
  private readonly written: Array<Row> = []
  private readonly before: AutoTopup | undefined
  private readonly state: AccountState
  readonly ground: AccountGround

  constructor(state: AccountState, ground: AccountGround) {
    this.state = state
    this.ground = ground
    this.before = state.auto
  }

  add(...rows: ReadonlyArray<Row>): void {
    this.written.push(...rows)
  }

  /**
   * Moves the wallet; a project's spending counts where one is named. Any movement that takes the balance from above the
   * threshold to it or below starts an automatic top-up in the same commit. gaps-3 E "Auto top-up trigger"
   */
  move(movement: Movement, projectId: string | null): void {
    const { ground, state } = this
    this.add(...postingRows(movement, projectId, ground))
    const { balance } = state.wallet
    state.wallet = apply(state.wallet, movement)
    if (countsAsSpending(movement, state.account.environment, projectId)) {
      state.spending.add(projectId, monthOf(ground.now), movement.amount)
    }
    this.payMonths()
    if (state.auto !== undefined) this.look(state.auto, balance)
  }

  /** Looks at the balance as it is, as after a movement that memory did not see. */
  review(): void {
    const { auto } = this.state
    this.payMonths()
    if (auto !== undefined) this.look(auto, auto.threshold + (auto.is_above ? 1 : 0))
  }

  /** Asks for money; the queue of charges does the rest. */
  charge(order: ChargeOrder): void {
    const { ground, state } = this
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
        created_at: ground.now,
        due_at: ground.now
      })
    )
    state.openCharges.add(order.id)
  }

  /** All rows, with what automatic top-up is after them. */
  end(): ReadonlyArray<Row> {
    const { auto } = this.state
    if (auto !== undefined && auto !== this.before) {
      this.add(saveAutoTopup.row({ ...auto, account_id: this.state.account.account_id }))
    }
    return this.written
  }

  /** A balance of zero or above pays what was unpaid. gaps-3 F "Unpaid-month evidence" */
  private payMonths(): void {
    const { ground, state } = this
    if (!state.hasUnpaidMonths || state.wallet.balance < 0) return
    this.add(closeUnpaidMonths.row({ account_id: state.account.account_id, closed_at: ground.now }))
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
    const { ground, state } = this
    const { now } = ground
    const { amount, payment_method_id } = auto
    const id = ground.mint("ctu", now)
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
