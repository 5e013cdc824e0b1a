import type Stripe from "stripe"
import type { Fields } from "../wire/Fields.ts"
import { Ids } from "../wire/Ids.ts"
import { invalid, missing, Refusal } from "../wire/Refusal.ts"
import type { Customers } from "./Customers.ts"
import type { SetupIntents } from "./SetupIntents.ts"
import { Objects, secondsOf, type World } from "./World.ts"

/** The parameters of a new checkout session. */
export const sessionParameters = [
  ..."adaptive_pricing after_expiration allow_promotion_codes allowed_payment_method_types automatic_tax".split(" "),
  ..."billing_address_collection branding_settings cancel_url client_reference_id consent_collection currency".split(
    " "
  ),
  ..."custom_fields custom_text customer customer_account customer_creation customer_email customer_update".split(" "),
  ..."discounts excluded_payment_method_types expand expires_at integration_identifier invoice_creation".split(" "),
  ..."line_items locale managed_payments metadata mode name_collection optional_items origin_context".split(" "),
  ..."payment_intent_data payment_method_collection payment_method_configuration payment_method_data".split(" "),
  ..."payment_method_options permissions phone_number_collection redirect_on_completion return_url".split(" "),
  ..."saved_payment_method_options setup_intent_data shipping_address_collection shipping_options".split(" "),
  ..."submit_type subscription_data success_url tax_id_collection ui_mode wallet_options".split(" ")
]

const shortest = 30 * 60
const longest = 24 * 3600

/** Hosted pages on which a person's card is saved: sessions in setup mode. */
export class CheckoutSessions {
  readonly objects: Objects<Stripe.Checkout.Session>
  private readonly world: World
  private readonly customers: Customers
  private readonly setups: SetupIntents

  constructor(world: World, customers: Customers, setups: SetupIntents) {
    this.world = world
    this.customers = customers
    this.setups = setups
    this.objects = new Objects(world.now)
  }

  create(fields: Fields): Stripe.Checkout.Session {
    const mode = fields.required("mode")
    if (mode !== "setup") throw invalid("This simulated account opens sessions in `setup` mode only.", "mode")
    const uiMode = fields.text("ui_mode") ?? "hosted_page"
    if (uiMode !== "hosted_page") throw invalid("This simulated account has hosted pages only.", "ui_mode")
    const types = fields.texts("allowed_payment_method_types")
    const currency = fields.text("currency")
    if (types.length === 0 && currency === null) {
      const reason = "when `allowed_payment_method_types` is not set"
      throw invalid(
        `Missing required param: currency is required in \`setup\` mode ${reason}.`,
        "currency",
        "parameter_missing"
      )
    }
    const now = secondsOf(this.world)
    const expires_at = fields.whole("expires_at") ?? now + longest
    if (expires_at < now + shortest || expires_at > now + longest) {
      throw invalid("The `expires_at` timestamp must be between 30 minutes and 24 hours from now.", "expires_at")
    }
    const customer = fields.text("customer")
    if (customer !== null) this.customers.require(customer, "customer")
    const success_url = urlOf(fields, "success_url")
    if (success_url === null) throw invalid("Missing required param: success_url.", "success_url", "parameter_missing")
    const data = fields.record("setup_intent_data")
    const metadata = fields.metadata()
    const setup = this.setups.make({ customer, metadata: textsOf(data.metadata), payment_method_types: ["card"] })
    const id = `cs_test_${this.world.ids.mint("a1", "0", 48)}`
    return this.objects.add({
      ...empty(id, now),
      allowed_payment_method_types: types.length === 0 ? null : [...types],
      cancel_url: urlOf(fields, "cancel_url"),
      client_reference_id: fields.text("client_reference_id"),
      currency,
      customer,
      customer_email: fields.text("customer_email"),
      expires_at,
      locale: fields.text("locale"),
      metadata,
      setup_intent: setup.id,
      success_url,
      url: `${this.world.origin()}/c/pay/${id}#${Ids.secret()}`
    })
  }

  /** Returns a session as it is now: one whose time is over has expired. */
  require(id: string, param = "id"): Stripe.Checkout.Session {
    const session = this.objects.get(id)
    if (session === undefined) throw missing("checkout.session", id, param)
    if (session.status === "open" && session.expires_at <= secondsOf(this.world)) this.end(session)
    return session
  }

  expire(session: Stripe.Checkout.Session): Stripe.Checkout.Session {
    if (session.status !== "open") {
      throw invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`
      )
    }
    this.end(session)
    return session
  }

  /** Saves the card that a person picked on the page; false when the card was declined. */
  complete(session: Stripe.Checkout.Session, card: string): boolean {
    if (session.status !== "open") return false
    try {
      this.setups.confirm(this.setups.require(String(session.setup_intent)), card)
    } catch (refusal) {
      if (refusal instanceof Refusal) return false
      throw refusal
    }
    session.status = "complete"
    session.url = null
    this.world.tell("checkout.session.completed", session)
    return true
  }

  private end(session: Stripe.Checkout.Session): void {
    session.status = "expired"
    session.url = null
    const setup = this.setups.objects.get(String(session.setup_intent))
    if (setup !== undefined) setup.status = "canceled"
    this.world.tell("checkout.session.expired", session)
  }
}

const urlOf = (fields: Fields, name: string): string | null => {
  const url = fields.text(name)
  if (url !== null && !/^https?:\/\//.test(url)) throw invalid("Not a valid URL", name, "url_invalid")
  return url
}

const textsOf = (value: unknown): Record<string, string> =>
  typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)]))
    : {}

const empty = (id: string, created: number): Stripe.Checkout.Session => ({
  id,
  object: "checkout.session",
  adaptive_pricing: null,
  after_expiration: null,
  allow_promotion_codes: null,
  allowed_payment_method_types: null,
  amount_subtotal: null,
  amount_total: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  cancel_url: null,
  client_reference_id: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  created,
  currency: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer: null,
  customer_account: null,
  customer_creation: null,
  customer_details: null,
  customer_email: null,
  discounts: null,
  expires_at: created,
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  livemode: false,
  locale: null,
  managed_payments: null,
  metadata: {},
  mode: "setup",
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_collection: null,
  payment_method_configuration_details: null,
  payment_method_options: {},
  payment_method_types: ["card"],
  payment_status: "no_payment_required",
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  status: "open",
  submit_type: null,
  subscription: null,
  success_url: null,
  total_details: null,
  ui_mode: "hosted_page",
  url: null,
  wallet_options: null
})
