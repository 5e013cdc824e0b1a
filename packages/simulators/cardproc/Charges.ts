import { randomBytes } from "node:crypto"
import type { Faults } from "../kit/Faults.ts"
import { Landings, standardLandingMs } from "../kit/Landings.ts"
import { type Call, jsonOf, ok, recordOf } from "../kit/Routes.ts"
import type { SignedWebhooks } from "../kit/SignedWebhooks.ts"
import { cardError } from "./CardErrors.ts"
import type { Cards } from "./Cards.ts"
import type { Done } from "./Vendor.ts"

type Status = "succeeded" | "requires_action" | "processing" | "failed" | "refunded"

/** A charge and its state. */
export interface Charge {
  readonly id: string
  readonly external_id: string
  readonly customer: string
  readonly payment_method: string
  readonly amount_centavos: number
  readonly off_session: boolean
  status: Status
  decline_code: string | null
  readonly client_secret: string
}

/**
 * Charges by the caller's id: a repeated call is one charge, and a repeat with other content is refused. `lands_late`
 * cuts the connection of a charge, which then takes effect after `value` milliseconds: until then it is not found, and
 * a repeat is refused. `lagging_lookup` does not find by the caller's id a charge made less than `value` milliseconds
 * ago. `unfiltered_lookup` answers such a look-up with other charges. `pays_after_decline` lets a declined charge
 * succeed after `value` milliseconds.
 */
export class Charges {
  private readonly known = new Map<string, Charge>()
  private readonly timers = new Set<NodeJS.Timeout>()
  private readonly cards: Cards
  private readonly webhooks: SignedWebhooks
  private readonly faults: Faults
  private readonly landings: Landings

  constructor(cards: Cards, webhooks: SignedWebhooks, faults: Faults, now: () => number) {
    this.landings = new Landings(now)
    this.cards = cards
    this.webhooks = webhooks
    this.faults = faults
  }

  get list(): ReadonlyArray<Charge> {
    this.landings.landDue()
    return [...this.known.values()]
  }

  /** `POST /v1/payment_intents` */
  post({ body, headers, response }: Call): Done {
    const asked = recordOf(jsonOf(body))
    const { amount_centavos, confirm, customer, external_id, off_session, payment_method } = asked
    const facts = { ...asked, idempotency_key: headers["idempotency-key"] ?? null }
    const refuse = (code: Parameters<typeof cardError>[0], message: string): Done => ({
      answer: cardError(code, message),
      outcome: code,
      facts
    })
    if (typeof external_id !== "string" || external_id === "" || confirm !== true)
      return refuse("invalid_request", "external_id and confirm: true")
    if (headers["idempotency-key"] !== external_id)
      return refuse("invalid_request", "Idempotency-Key has to be the external_id")
    const whole = typeof amount_centavos === "number" && Number.isSafeInteger(amount_centavos) && amount_centavos > 0
    if (!whole || typeof off_session !== "boolean") return refuse("invalid_request", "amount_centavos, off_session")
    if (this.landings.has(external_id)) return refuse("idempotency_key_in_use", "a call with this key is under way")
    const before = this.known.get(external_id)
    if (before !== undefined) {
      const same =
        before.amount_centavos === amount_centavos &&
        before.customer === customer &&
        before.payment_method === payment_method
      if (!same) return refuse("idempotency_conflict", "another charge of this id")
      return { answer: { status: 200, body: this.shown(before) }, outcome: "repeated", facts: { ...facts, ...before } }
    }
    const behaviour = this.cards.behaviourOf(String(customer), String(payment_method))
    if (behaviour === undefined) return refuse("payment_method_not_attached", "the customer does not have this card")
    const id = `pi_${external_id}`
    const charge: Charge = {
      id,
      external_id,
      customer: String(customer),
      payment_method: String(payment_method),
      amount_centavos,
      off_session,
      status: "processing",
      decline_code: null,
      client_secret: `${id}_secret_${randomBytes(12).toString("hex")}`
    }
    const late = this.faults.hit(["lands_late"], { operation: "charge" })
    if (late !== undefined) {
      this.landings.later(external_id, late.value ?? standardLandingMs, () => this.make(charge, behaviour))
      response.destroy()
      return { answer: undefined, outcome: "lands_late", facts }
    }
    this.make(charge, behaviour)
    return { answer: { status: 201, body: this.shown(charge) }, outcome: charge.status, facts: { ...facts, ...charge } }
  }

  /** `GET /v1/payment_intents/{id}` */
  show({ places: [id = ""] }: Call): Done {
    const charge = this.list.find((one) => one.id === id)
    return charge === undefined ? notFound : this.found(charge)
  }

  /** `GET /v1/payment_intents?external_id=` */
  find({ query }: Call): Done {
    this.landings.landDue()
    const external_id = query.get("external_id") ?? ""
    if (this.faults.hit(["unfiltered_lookup"], { operation: "charge_lookup" }) !== undefined) {
      const others = this.list.filter((one) => one.external_id !== external_id)
      return { answer: ok({ data: others.map((one) => this.shown(one)) }), outcome: "unfiltered_lookup" }
    }
    const charge = this.known.get(external_id)
    if (charge === undefined) return { answer: ok({ data: [] }), outcome: "absent" }
    const lag = this.faults.hit(["lagging_lookup"], { operation: "charge_lookup" })
    if (lag !== undefined && this.landings.isYoungerThan(external_id, lag.value ?? standardLandingMs))
      return { answer: ok({ data: [] }), outcome: "lagging_lookup", facts: { external_id } }
    return { ...this.found(charge), answer: ok({ data: [this.shown(charge)] }) }
  }

  /** Acts as the cardholder in the browser: authenticates, or fails to. */
  authenticate(clientSecret: string, proven: boolean): Charge | undefined {
    const charge = this.list.find((one) => one.client_secret === clientSecret)
    if (charge?.status !== "requires_action") return charge
    if (proven) this.move(charge, "succeeded")
    else this.move(charge, "failed", "authentication_failed")
    return charge
  }

  /** Collects a charge that was declined. */
  payLate(of: string): Charge | undefined {
    const charge = this.list.find(({ external_id, id }) => id === of || external_id === of)
    if (charge?.status === "failed") this.move(charge, "succeeded")
    return charge
  }

  /** Returns the whole amount to the cardholder. */
  refund(of: string): Charge | undefined {
    const charge = this.list.find(({ external_id, id }) => id === of || external_id === of)
    if (charge?.status === "succeeded") this.move(charge, "refunded")
    return charge
  }

  /** Lets creates take effect that are due by the simulator's clock. */
  landDue(): void {
    this.landings.landDue()
  }

  close(): void {
    this.landings.close()
    for (const timer of this.timers) clearTimeout(timer)
  }

  private make(charge: Charge, behaviour: ReturnType<Cards["behaviourOf"]>): void {
    this.known.set(charge.external_id, charge)
    this.landings.landed(charge.external_id)
    const processing = this.faults.hit(["processing"], { operation: "charge" })
    const end = () => this.settle(charge, behaviour)
    if (processing === undefined) end()
    else this.later(processing.value ?? 500, end)
  }

  private settle(charge: Charge, behaviour: ReturnType<Cards["behaviourOf"]>): void {
    const declined = this.faults.hit(["declined"], { operation: "charge" })
    if (behaviour === "declined" || declined) this.move(charge, "failed", "insufficient_funds")
    else if (behaviour === "ok") this.move(charge, "succeeded")
    else if (charge.off_session) this.move(charge, "failed", "authentication_required")
    else this.move(charge, "requires_action")
    if (charge.status !== "failed") return
    const late = this.faults.hit(["pays_after_decline"], { operation: "charge" })
    if (late !== undefined) this.later(late.value ?? standardLandingMs, () => this.payLate(charge.id))
  }

  private move(charge: Charge, status: Status, decline_code: string | null = null): void {
    charge.status = status
    charge.decline_code = decline_code
    const { external_id, id } = charge
    this.webhooks.tell(`payment_intent.${status}`, { id, external_id, status })
  }

  private found(charge: Charge): Done {
    const { external_id, id, status } = charge
    return { answer: ok(this.shown(charge)), outcome: status, facts: { id, external_id } }
  }

  private shown(charge: Charge) {
    const other = this.faults.hit(["other_amount"], { operation: "charge_status" })
    const amount_centavos = charge.amount_centavos + (other === undefined ? 0 : 1)
    const client_secret = charge.status === "requires_action" ? charge.client_secret : null
    return { ...charge, amount_centavos, client_secret }
  }

  private later(ms: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      then()
    }, ms)
    this.timers.add(timer)
  }
}

const notFound: Done = { answer: cardError("not_found"), outcome: "not_found" }
