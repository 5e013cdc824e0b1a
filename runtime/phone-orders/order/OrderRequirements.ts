import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import {
  BillingWhatsappRequired,
  KycPending,
  KycRequired,
  PhoneNumberRentalPreviewUnavailable
} from "@carteiro/schema/phone-orders/PhoneOrderErrors.ts"
import { Context, Effect, Layer } from "effect"
import { MeterPrices } from "../../billing/Billing.ts"
import { nextRenewalAt, Rosters } from "../../phone-numbers/PhoneNumbers.ts"
import { OrderStandings } from "./OrderStandings.ts"
import { type OrderTerms, rentalTerms } from "./OrderState.ts"

/** True when a member must receive billing alerts before a number is ordered. M-ORD-27 */
export const RequiresBillingRecipient = Context.Reference<boolean>(
  "@carteiro/runtime/phone-orders/order/RequiresBillingRecipient",
  { defaultValue: () => false }
)

/** The meter of a rented number's month. gaps-3 E "Rate card seed" */
export const rentalMeter = "phone.rental.month"

/** A production environment for which numbers are ordered. */
interface Orderer {
  readonly organization_id: string
  readonly environment_id: string
}

/**
 * Checks the requirements of a production order, at its creation and again at its approval. gaps-2 K "Production
 * switches", M-ORD-13
 */
export class OrderRequirements extends Context.Service<
  OrderRequirements,
  {
    /**
     * Checks identity, billing recipient and the plan's allowance, in this order; returns the rows that guard the
     * allowance.
     */
    check(orderer: Orderer): Effect.Effect<Effect.Success<ReturnType<Rosters["Service"]["room"]>>, ApiError>
    /**
     * Returns the amount and the date of an approval's charge; refuses with 503 while no price is in effect. M-ORD-33
     */
    terms(now: number): Effect.Effect<OrderTerms, ApiError>
  }
>()("@carteiro/runtime/phone-orders/order/OrderRequirements") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const standings = yield* OrderStandings
      const rosters = yield* Rosters
      const prices = yield* MeterPrices
      const requiresRecipient = yield* RequiresBillingRecipient
      return OrderRequirements.of({
        check: Effect.fnUntraced(function* (orderer) {
          const standing = yield* standings.find(orderer.organization_id)
          if (standing.identity === "none") return yield* new KycRequired()
          if (standing.identity === "pending") return yield* new KycPending()
          if (requiresRecipient && !standing.has_recipient) return yield* new BillingWhatsappRequired()
          return yield* rosters.room({ ...orderer, environment: "production" })
        }),
        terms: Effect.fnUntraced(function* (now) {
          const fee = yield* prices.unitPrice(rentalMeter, now)
          if (fee === undefined) return yield* new PhoneNumberRentalPreviewUnavailable()
          return {
            amount: fee,
            monthly_fee: fee,
            first_charge_at: now,
            next_charge_at: nextRenewalAt(now),
            terms_version: rentalTerms
          }
        })
      })
    })
  )
}
