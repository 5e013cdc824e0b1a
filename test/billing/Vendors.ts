import { type CardCharge, CardProcessor, type CardProvider } from "@carteiro/provider/payments/CardProvider.ts"
import { type PixCharge, type PixCharges, PlatformPix } from "@carteiro/provider/payments/PixCharges.ts"
import { Clock, Effect, Layer } from "effect"

/** What the processor does with a card. `loses`: it charges, and nobody hears of it. */
export type CardMode = "pays" | "declines" | "loses"

/** A card processor and a Pix provider without sockets, each charge kept under our id: what the tables are held against. */
export class Vendors {
  readonly charges = new Map<string, CardCharge>()
  readonly pix = new Map<string, PixCharge>()
  /** What is done with a card from now on; it pays unless something else is said. */
  readonly modes = new Map<string, CardMode>()
  /** How often a charge that was there already was asked for again. */
  repeated = 0

  /** A Pix charge is paid. */
  pay(id: string): void {
    const charge = this.pix.get(id)
    if (charge !== undefined) this.pix.set(id, { ...charge, status: "paid" })
  }

  /** A card charge goes back to its cardholder. */
  refund(id: string): void {
    const charge = this.charges.get(id)
    if (charge?.status === "succeeded") this.charges.set(id, { ...charge, status: "refunded" })
  }

  /** Runs before every call of either: it waits its turn there. */
  readonly passing: (label: string) => Effect.Effect<void>

  constructor(passing: (label: string) => Effect.Effect<void> = () => Effect.void) {
    this.passing = passing
  }

  /** Both as the ports of one node, reached by its ways. */
  layer(passing = this.passing) {
    return Layer.merge(
      Layer.succeed(CardProcessor, this.cards(passing)),
      Layer.succeed(PlatformPix, this.pixes(passing))
    )
  }

  private cards(passing: (label: string) => Effect.Effect<void>): CardProvider {
    const passed = <A>(label: string, answer: () => A) =>
      Effect.andThen(
        passing(label),
        Effect.suspend(() => {
          const given = answer()
          return Effect.as(passing(`answer to ${label}`), given)
        })
      )
    const absent = { _tag: "Absent" as const }
    const cardOf = (id: string, customer: string | null) => ({
      _tag: "Card" as const,
      id,
      customer,
      isSetUp: true,
      brand: "visa",
      last4: "4242",
      exp_month: 12,
      exp_year: 2040
    })
    return {
      customer: (id) => Effect.succeed({ _tag: "Customer", id: `cus_${id}` }),
      setup: () => Effect.succeed({ _tag: "Setup", id: "seti", client_secret: null }),
      card: (id) => Effect.succeed(cardOf(id, null)),
      attach: (id, customer) => Effect.succeed(cardOf(id, customer)),
      detach: (id) => Effect.succeed(cardOf(id, null)),
      charge: ({ amount_centavos, customer, external_id, payment_method }) =>
        passed("charge", () => {
          const mode = this.modes.get(payment_method) ?? "pays"
          const before = this.charges.get(external_id)
          if (before !== undefined) this.repeated++
          const charge: CardCharge = before ?? {
            _tag: "Charge",
            id: `pi_${external_id}`,
            external_id,
            customer,
            amount_centavos,
            status: mode === "declines" ? "failed" : "succeeded",
            client_secret: null,
            decline_code: mode === "declines" ? "insufficient_funds" : null
          }
          this.charges.set(external_id, charge)
          return mode === "loses" ? { _tag: "Unknown" as const } : charge
        }),
      chargeById: (id) => passed("charge by id", () => this.charges.get(id.slice(3)) ?? absent),
      chargeOf: (id) => passed("charge of ours", () => this.charges.get(id) ?? absent)
    }
  }

  private pixes(passing: (label: string) => Effect.Effect<void>): PixCharges {
    const passed = <A>(label: string, answer: Effect.Effect<A>) => Effect.andThen(passing(label), answer)
    const found = (id: string) => Effect.sync(() => this.pix.get(id) ?? { _tag: "Absent" as const })
    return {
      create: ({ amount_centavos, expires_in_seconds, external_id }) =>
        passed(
          "pix",
          Effect.map(Clock.currentTimeMillis, (now): PixCharge => {
            const before = this.pix.get(external_id)
            if (before !== undefined) this.repeated++
            const charge: PixCharge = before ?? {
              _tag: "Charge",
              id: `px_${external_id}`,
              external_id,
              amount_centavos,
              status: "pending",
              pix_copy_paste: `00020126${external_id}`,
              pix_qr_code_base64: null,
              expires_at: now + expires_in_seconds * 1000
            }
            this.pix.set(external_id, charge)
            return charge
          })
        ),
      read: (id) => passed("pix by id", found(id.slice(3))),
      lookUp: (id) => passed("pix of ours", found(id)),
      cancel: (id) => passed("pix cancelled", found(id.slice(3)))
    }
  }
}
