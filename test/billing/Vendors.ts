import {
  type CardCharge,
  type CardOrder,
  CardProcessor,
  type CardProvider,
  type CardRefused,
  type CardUnknown
} from "@carteiro/provider/payments/CardProvider.ts"
import {
  type PixCharge,
  type PixCharges,
  type PixNoCharge,
  type PixOrder,
  PlatformPix
} from "@carteiro/provider/payments/PixCharges.ts"
import { Clock, Effect, Layer } from "effect"

/**
 * How the processor treats a card. `loses`: it charges, and its answer is lost. `late` and `very_late`: the call is cut off,
 * and the charge lands later; a repeat before that is refused. `lags`: the answer is lost, and look-ups by our id find
 * nothing for a while. `pays_late`: it declines, and takes the money later all the same.
 */
export type CardMode = "pays" | "declines" | "loses" | "late" | "very_late" | "lags" | "pays_late"
/** How the Pix provider treats what it is asked to make: as the processor does. */
export type PixMode = "makes" | "loses" | "late"

const minute = 60_000
/** When what is late happens, after its call: before its absence is proven, and after its first repeat. */
const landsAfter: { readonly [M in CardMode | PixMode]?: number } = {
  late: 45 * minute,
  very_late: 180 * minute,
  pays_late: 90 * minute
}
/** How long look-ups find nothing. */
const lagMs = 40 * minute

/** A card processor and a Pix provider without sockets, each charge kept under our id: the tables are compared with them. */
export class Vendors {
  readonly charges = new Map<string, CardCharge>()
  readonly pix = new Map<string, PixCharge>()
  /** Treatment of a card from now on; it pays unless something else is said. */
  readonly modes = new Map<string, CardMode>()
  pixMode: PixMode = "makes"
  /** How often a charge that was there already was asked for again. */
  repeated = 0
  /** Epoch milliseconds at which something happens by itself, by our id. */
  private readonly coming = new Map<string, { readonly at: number; readonly happens: () => void }>()
  private readonly hiddenUntil = new Map<string, number>()
  private happened: Array<string> = []

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

  /** Returns the charges that have changed by themselves since it was asked last: the vendors tell of them. */
  news(now: number): ReadonlyArray<string> {
    this.pass(now)
    const told = this.happened
    this.happened = []
    return told
  }

  private comes(id: string, at: number, happens: () => void): void {
    this.coming.set(id, { at, happens })
  }

  private pass(now: number): void {
    for (const [id, { at, happens }] of this.coming) {
      if (at > now) continue
      this.coming.delete(id)
      happens()
      this.happened.push(id)
    }
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
    const passed = <A>(label: string, answer: (now: number) => A) =>
      Effect.gen({ self: this }, function* () {
        yield* passing(label)
        const now = yield* Clock.currentTimeMillis
        this.pass(now)
        const given = answer(now)
        yield* passing(`answer to ${label}`)
        return given
      })
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
      pages: undefined,
      card: (id) => Effect.succeed(cardOf(id, null)),
      attach: (id, customer) => Effect.succeed(cardOf(id, customer)),
      detach: (id) => Effect.succeed(cardOf(id, null)),
      charge: (order) => passed("charge", (now) => this.charge(order, now)),
      chargeById: (id) => passed("charge by id", () => this.charges.get(id.slice(3)) ?? absent),
      chargeOf: (id) =>
        passed("charge of ours", (now) =>
          now < (this.hiddenUntil.get(id) ?? 0) ? absent : (this.charges.get(id) ?? absent)
        ),
      authenticationPage: () => Effect.undefined,
      proveCredential: Effect.succeed("accepted")
    }
  }

  private charge(order: CardOrder, now: number): CardCharge | CardRefused | CardUnknown {
    const { amount_centavos, customer, external_id, payment_method } = order
    const mode = this.modes.get(payment_method) ?? "pays"
    const before = this.charges.get(external_id)
    if (before !== undefined) {
      this.repeated++
      return before
    }
    if (this.coming.has(external_id)) return { _tag: "Refused", code: "in_progress", decline_code: null }
    const declines = mode === "declines" || mode === "pays_late"
    const charge: CardCharge = {
      _tag: "Charge",
      id: `pi_${external_id}`,
      external_id,
      customer,
      amount_centavos,
      status: declines ? "failed" : "succeeded",
      client_secret: null,
      decline_code: declines ? "insufficient_funds" : null
    }
    const after = landsAfter[mode]
    if (after !== undefined) {
      const paid: CardCharge = { ...charge, status: "succeeded", decline_code: null }
      this.comes(external_id, now + after, () => this.charges.set(external_id, paid))
    }
    if (mode === "late" || mode === "very_late") return unknown
    this.charges.set(external_id, charge)
    if (mode === "lags") this.hiddenUntil.set(external_id, now + lagMs)
    return mode === "loses" || mode === "lags" ? unknown : charge
  }

  private pixes(passing: (label: string) => Effect.Effect<void>): PixCharges {
    const passed = <A>(label: string, answer: (now: number) => A) =>
      Effect.gen({ self: this }, function* () {
        yield* passing(label)
        const now = yield* Clock.currentTimeMillis
        this.pass(now)
        return answer(now)
      })
    const found = (id: string) => () => this.pix.get(id) ?? absent
    return {
      create: (order) => passed("pix", (now) => this.makePix(order, now)),
      read: (id) => passed("pix by id", found(id.slice(3))),
      lookUp: (id) => passed("pix of ours", found(id)),
      cancel: (id) => passed("pix cancelled", found(id.slice(3)))
    }
  }

  private makePix(
    { amount_centavos, expires_in_seconds, external_id }: PixOrder,
    now: number
  ): PixCharge | PixNoCharge {
    const before = this.pix.get(external_id)
    if (before !== undefined) {
      this.repeated++
      return before
    }
    if (this.coming.has(external_id)) return { _tag: "Refused", code: "in_progress" }
    const charge: PixCharge = {
      _tag: "Charge",
      id: `px_${external_id}`,
      external_id,
      amount_centavos,
      status: "pending",
      pix_copy_paste: `00020126${external_id}`,
      pix_qr_code_base64: null,
      expires_at: now + expires_in_seconds * 1000
    }
    const after = landsAfter[this.pixMode]
    if (after === undefined) this.pix.set(external_id, charge)
    else this.comes(external_id, now + after, () => this.pix.set(external_id, charge))
    return this.pixMode === "makes" ? charge : unknown
  }
}

const absent = { _tag: "Absent" as const }
const unknown = { _tag: "Unknown" as const }
