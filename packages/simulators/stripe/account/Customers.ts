import type Stripe from "stripe"
import type { Fields } from "../wire/Fields.ts"
import { invalid, missing } from "../wire/Refusal.ts"
import { Objects, secondsOf, type World } from "./World.ts"

/** The parameters of a new customer. */
export const customerParameters = [
  ..."address balance business_name cash_balance description email expand individual_name invoice_prefix".split(" "),
  ..."invoice_settings metadata name next_invoice_sequence payment_method phone preferred_locales shipping".split(" "),
  ..."source tax tax_exempt tax_id_data test_clock validate".split(" ")
]

/** The customers of an account. One of an earlier run is known by its id, and shown without its details. */
export class Customers {
  readonly objects: Objects<Stripe.Customer>
  private readonly world: World

  constructor(world: World) {
    this.world = world
    this.objects = new Objects(world.now)
  }

  create(fields: Fields): Stripe.Customer {
    const email = fields.text("email")
    if (email !== null && !/^[^\s@]+@[^\s@]+$/.test(email)) {
      throw invalid(`Invalid email address: ${email}`, "email", "email_invalid")
    }
    const made = customer(this.world.ids.mint("cus_"), secondsOf(this.world), {
      description: fields.text("description"),
      email,
      metadata: fields.metadata(),
      name: fields.text("name"),
      phone: fields.text("phone")
    })
    this.objects.add(made)
    this.world.tell("customer.created", made)
    return made
  }

  /** Returns a customer by id, or refuses it by the parameter's name. */
  require(id: string, param = "id"): Stripe.Customer {
    const known = this.objects.get(id)
    if (known !== undefined) return known
    if (this.world.ids.markOf("cus_", id) === undefined) throw missing("customer", id, param)
    return customer(id, secondsOf(this.world), {})
  }

  /** True when a customer was made by an earlier run: every card is theirs. */
  isOfEarlierRun(id: string): boolean {
    return this.objects.get(id) === undefined
  }
}

const customer = (id: string, created: number, more: Partial<Stripe.Customer>): Stripe.Customer => ({
  id,
  object: "customer",
  address: null,
  balance: 0,
  created,
  currency: null,
  default_source: null,
  delinquent: false,
  description: null,
  discount: null,
  email: null,
  invoice_prefix: id.slice(-8).toUpperCase(),
  invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
  livemode: false,
  metadata: {},
  name: null,
  next_invoice_sequence: 1,
  phone: null,
  preferred_locales: [],
  shipping: null,
  tax_exempt: "none",
  test_clock: null,
  ...more
})
