import type Stripe from "stripe"
import type { Fields } from "../wire/Fields.ts"
import { Ids } from "../wire/Ids.ts"
import { invalid, missing, Refusal } from "../wire/Refusal.ts"
import type { Customers } from "./Customers.ts"
import type { PaymentMethods } from "./PaymentMethods.ts"
import { sharedCardOf } from "./TestCards.ts"
import { Objects, secondsOf, type World } from "./World.ts"

/** The parameters of a new setup intent. */
export const setupParameters = [
  ..."allowed_payment_method_types attach_to_self automatic_payment_methods confirm confirmation_token".split(" "),
  ..."customer customer_account description excluded_payment_method_types expand flow_directions".split(" "),
  ..."mandate_data metadata on_behalf_of payment_method payment_method_configuration payment_method_data".split(" "),
  ..."payment_method_options return_url single_use usage use_stripe_sdk".split(" ")
]

/** The parameters of its confirmation, by the account or by the cardholder's browser. */
export const setupConfirmParameters = [
  ..."allowed_payment_method_types client_secret confirmation_token expand key mandate_data payment_method".split(" "),
  ..."payment_method_data payment_method_options return_url use_stripe_sdk".split(" ")
]

/** Cards in collection. */
export class SetupIntents {
  readonly objects: Objects<Stripe.SetupIntent>
  private readonly world: World
  private readonly customers: Customers
  private readonly methods: PaymentMethods

  constructor(world: World, customers: Customers, methods: PaymentMethods) {
    this.world = world
    this.customers = customers
    this.methods = methods
    this.objects = new Objects(world.now)
  }

  create(fields: Fields): Stripe.SetupIntent {
    const method = fields.text("payment_method")
    if (method !== null) this.methods.require(method, "payment_method")
    const setup = this.make({
      customer: fields.text("customer"),
      description: fields.text("description"),
      metadata: fields.metadata(),
      payment_method: method,
      usage: fields.oneOf("usage", ["off_session", "on_session"]) ?? "off_session"
    })
    if (fields.flag("confirm") === true) this.confirm(setup, method)
    return setup
  }

  make(more: Partial<Stripe.SetupIntent> & Pick<Stripe.SetupIntent, "customer">): Stripe.SetupIntent {
    if (typeof more.customer === "string") this.customers.require(more.customer, "customer")
    const id = this.world.ids.mint("seti_1", "0", 14)
    const setup = this.objects.add({ ...empty(id, secondsOf(this.world)), ...more })
    this.world.tell("setup_intent.created", setup)
    return setup
  }

  require(id: string): Stripe.SetupIntent {
    const setup = this.objects.get(id)
    if (setup === undefined) throw missing("setupintent", id, "id")
    return setup
  }

  /** Sets a card up: a shared card keeps its id, and each of Stripe's cards becomes a payment method. */
  confirm(setup: Stripe.SetupIntent, named: string | null): Stripe.SetupIntent {
    if (setup.status === "succeeded" || setup.status === "canceled") {
      throw invalid(
        `You cannot confirm this SetupIntent because it has already ${setup.status}.`,
        undefined,
        "setup_intent_unexpected_state"
      )
    }
    const id = named ?? (typeof setup.payment_method === "string" ? setup.payment_method : null)
    if (id === null) {
      throw invalid("You cannot confirm this SetupIntent because it's missing a payment method.", "payment_method")
    }
    const method = this.methods.require(id, "payment_method")
    const card = this.methods.cardOf(id)
    if (card === undefined) throw missing("PaymentMethod", id, "payment_method")
    if (card.decline !== null && !card.isAttachable) {
      const error = { ...card.decline, payment_method: method, type: "card_error" as const }
      setup.last_setup_error = error
      this.world.tell("setup_intent.setup_failed", setup)
      throw new Refusal(402, { ...error, setup_intent: structuredClone(setup) }, "card_declined", { id: setup.id })
    }
    const customer = typeof setup.customer === "string" ? setup.customer : null
    setup.payment_method = this.chosen(id, customer).id
    setup.last_setup_error = null
    setup.status = "succeeded"
    this.world.tell("setup_intent.succeeded", setup)
    return setup
  }

  private chosen(id: string, customer: string | null): Stripe.PaymentMethod {
    const card = this.methods.cardOf(id)
    if (card !== undefined && sharedCardOf(id) === undefined && this.methods.objects.get(id) === undefined) {
      return this.methods.collect(card, customer)
    }
    return customer === null ? this.methods.require(id) : this.methods.attach(id, customer)
  }
}

const empty = (id: string, created: number): Stripe.SetupIntent => ({
  id,
  object: "setup_intent",
  allowed_payment_method_types: null,
  application: null,
  automatic_payment_methods: { allow_redirects: "always", enabled: true },
  cancellation_reason: null,
  client_secret: `${id}_secret_${Ids.secret()}`,
  created,
  customer: null,
  customer_account: null,
  description: null,
  excluded_payment_method_types: null,
  flow_directions: null,
  last_setup_error: null,
  latest_attempt: null,
  livemode: false,
  managed_payments: null,
  mandate: null,
  metadata: {},
  next_action: null,
  on_behalf_of: null,
  payment_method: null,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_method_types: ["card"],
  single_use_mandate: null,
  status: "requires_payment_method",
  usage: "off_session"
})
