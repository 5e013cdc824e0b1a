import { idempotencyWindowMs } from "@carteiro/owners/Idempotency.ts"
import { answer, commitThen, type Decision, type OwnerHandle, refuse } from "@carteiro/owners/Owner.ts"
import {
  PackageNotFound,
  PaymentMethodNotActive,
  PaymentMethodNotFound,
  PaymentMethodRequired
} from "@carteiro/schema/billing/BillingErrors.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { IdempotencyKeyConflict } from "@carteiro/schema/conventions/SharedErrors.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect } from "effect"
import type { PackagePurchase, PurchaseBegun } from "../account/AccountItems.ts"
import { type AccountContext, type AccountState, AccountUnit } from "../account/AccountUnit.ts"
import type { SavedCard } from "../cards/SavedCard.ts"
import type { ChargeRepo, RequestedCharge } from "../charges/ChargeRepo.ts"
import type { OfferedPackage } from "../topups/TopupRead.ts"
import type { TopupRepo } from "../topups/TopupRepo.ts"
import { insertTopup } from "../topups/TopupWrites.ts"

/** How long a cardholder has to authenticate, in milliseconds. gaps-3 E "Top-up transitions" */
const authenticationMs = dayMs

/** The facts that decide purchases. */
interface PurchaseFacts {
  readonly offerings: ReadonlyArray<OfferedPackage>
  readonly requested: ReadonlyArray<RequestedCharge>
}

export const readPurchases = (
  purchases: ReadonlyArray<PackagePurchase>,
  { account: { account_id } }: AccountState,
  now: number,
  topups: TopupRepo["Service"],
  charges: ChargeRepo["Service"]
): Effect.Effect<PurchaseFacts> => {
  const keys = purchases.flatMap(({ request }) => (request === undefined ? [] : [request.key]))
  return Effect.all({
    offerings: topups.offerings,
    requested: charges.requested(account_id, keys, now - idempotencyWindowMs)
  })
}

/** Begins purchases: top-up and charge in one commit, before any provider is called. gaps-3 E "Purchase outcomes" */
export const buyPackages = (
  purchases: ReadonlyArray<PackagePurchase>,
  { offerings, requested }: PurchaseFacts,
  state: AccountState,
  owner: OwnerHandle,
  context: AccountContext
): ReadonlyArray<Decision<typeof PurchaseBegun.Type>> =>
  purchases.map((purchase) => {
    const { package_code, payment_method_id, request, topup_id } = purchase
    const begun = requested.find((one) => one.request_key === request?.key && !neverArrived(one))
    if (begun !== undefined) {
      return begun.request_fingerprint === request?.fingerprint
        ? answer({ topup_id: begun.id })
        : refuse(new IdempotencyKeyConflict())
    }
    const offering = offerings.find(({ code }) => code === package_code)
    if (offering === undefined) return refuse(new PackageNotFound())
    const card = payingCard(state, payment_method_id)
    if ("_tag" in card) return refuse(card)
    const { price, quota_messages, unit_price } = offering
    const unit = new AccountUnit(state, context)
    unit.add(
      insertTopup.row({
        account_id: state.account.account_id,
        id: topup_id,
        kind: "package",
        amount: price,
        payment_method: "card",
        provider: "cardproc",
        package_code,
        quota_messages,
        unit_price,
        created_at: context.now
      })
    )
    unit.charge({
      id: topup_id,
      purpose: "topup",
      rail: "card",
      amount: price,
      off_session: false,
      payment_method_id: card.id,
      expires_at: context.now + authenticationMs,
      request
    })
    return commitThen({
      rows: unit.end(),
      settle: (_keys, passed) => {
        if (!passed) return { retry: "changed" }
        owner.dueAt(context.now)
        return { ok: { topup_id } }
      }
    })
  })

/** True when a charge was refused before it reached the provider: its key may be used again. */
const neverArrived = ({ decline_code, state }: RequestedCharge): boolean => state === "failed" && decline_code === null

/**
 * Returns the card that pays: the named one, or the default. gaps-3 E "Purchase outcomes", "Auto top-up card choice"
 */
export const payingCard = (
  { cards, customer }: Pick<AccountState, "cards" | "customer">,
  id: string | null
): SavedCard | ApiError => {
  if (id !== null) {
    const named = cards.get(id)
    if (named === undefined) return new PaymentMethodNotFound()
    return named.status === "active" ? named : new PaymentMethodNotActive()
  }
  const standard = cards.get(customer?.default_payment_method_id ?? "")
  return standard?.status === "active" ? standard : new PaymentMethodRequired()
}
