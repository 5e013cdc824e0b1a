import { randomBytes } from "node:crypto"
import { type Call, jsonOf, ok, recordOf } from "../kit/Routes.ts"
import { cardError } from "./CardErrors.ts"
import type { Done } from "./Vendor.ts"

/** The outcome of a card's charges: success, decline, or success once the cardholder has authenticated. */
export type CardBehaviour = "ok" | "declined" | "authentication"

interface Card {
  readonly id: string
  readonly behaviour: CardBehaviour
  readonly last4: string
}

/** A card whose collection failed. */
const unfinished = "pm_card_unfinished"

/** The cards that every customer may have, by name. Boot contract, "Ready" */
const lookOf: { readonly [name: string]: Pick<Card, "behaviour" | "last4"> } = {
  pm_card_ok: { behaviour: "ok", last4: "4242" },
  pm_card_declined: { behaviour: "declined", last4: "0002" },
  pm_card_authentication: { behaviour: "authentication", last4: "3155" },
  [unfinished]: { behaviour: "declined", last4: "0119" }
}

/** Customers, cards and cards in collection. A suffix makes more cards of a kind: `pm_card_ok_2`. */
export class Cards {
  private readonly customers = new Set<string>()
  /** Cards by customer: true while attached, false once detached. */
  private readonly held = new Map<string, Map<string, boolean>>()
  private readonly setups = new Map<
    string,
    { readonly id: string; readonly customer: string; readonly secret: string }
  >()

  /** `POST /v1/customers` */
  postCustomer({ body }: Call): Done {
    const { external_id } = recordOf(jsonOf(body))
    if (typeof external_id !== "string" || external_id === "") return refuse("external_id")
    const id = `cus_${external_id}`
    const known = this.customers.has(id)
    this.customers.add(id)
    return {
      answer: { status: 201, body: { id, external_id } },
      outcome: known ? "repeated" : "created",
      facts: { id, external_id }
    }
  }

  /** `POST /v1/setup_intents` */
  postSetup({ body }: Call): Done {
    const { customer } = recordOf(jsonOf(body))
    if (!isCustomer(customer)) return refuse("customer")
    const id = `seti_${this.setups.size + 1}`
    const secret = `${id}_secret_${randomBytes(12).toString("hex")}`
    this.setups.set(id, { id, customer, secret })
    const answer = { id, customer, status: "requires_payment_method", client_secret: secret }
    return { answer: { status: 201, body: answer }, outcome: "created", facts: { id, customer } }
  }

  /** `POST /v1/setup_intents/{id}/confirm`: the call of the cardholder's browser, with only the secret. */
  confirmSetup({ body, places: [id = ""] }: Call): Done {
    const { client_secret, payment_method } = recordOf(jsonOf(body))
    const setup = this.setups.get(id)
    if (setup === undefined || setup.secret !== client_secret) return refuse("client_secret")
    const card = this.card(String(payment_method))
    if (card === undefined) return refuse("payment_method")
    return { answer: ok({ id, status: "succeeded", payment_method: card.id }), outcome: "confirmed", facts: { id } }
  }

  /** `GET /v1/payment_methods/{id}` */
  show({ places: [id = ""] }: Call): Done {
    const card = this.card(id)
    return card === undefined ? notFound : { answer: ok(this.shown(card, null)), outcome: "found", facts: { id } }
  }

  /** `POST /v1/payment_methods/{id}/attach`, and `/detach` with `isHeld` false. */
  hold({ body, places: [id = ""] }: Call, isHeld: boolean): Done {
    const { customer } = recordOf(jsonOf(body))
    const card = this.card(id)
    if (card === undefined) return notFound
    if (!isCustomer(customer)) return refuse("customer")
    const held = this.held.get(customer) ?? new Map()
    this.held.set(customer, held.set(id, isHeld))
    const answer = ok(this.shown(card, isHeld ? customer : null))
    return { answer, outcome: isHeld ? "attached" : "detached", facts: { id, customer } }
  }

  /**
   * Returns the outcome of charges of a customer's card; undefined when the customer does not have it. A customer of an
   * earlier run is unknown here and has every card.
   */
  behaviourOf(customer: string, id: string): CardBehaviour | undefined {
    const has = this.held.get(customer)?.get(id) ?? !this.customers.has(customer)
    return has && isCustomer(customer) ? this.card(id)?.behaviour : undefined
  }

  private card(id: string): Card | undefined {
    const name = /^(pm_card_[a-z]+)(_[a-z0-9]{1,32})?$/.exec(id)?.[1] ?? ""
    const look = lookOf[name]
    return look === undefined ? undefined : { id, ...look }
  }

  private shown({ id, last4 }: Card, customer: string | null) {
    const setup_status = id.startsWith(unfinished) ? "requires_action" : "succeeded"
    return { id, customer, type: "card", brand: "visa", last4, exp_month: 12, exp_year: 2034, setup_status }
  }
}

const isCustomer = (id: unknown): id is string => typeof id === "string" && /^cus_./.test(id)

const refuse = (field: string): Done => ({
  answer: cardError("invalid_request", field),
  outcome: "invalid_request",
  facts: { field }
})

const notFound: Done = { answer: cardError("not_found"), outcome: "not_found" }
