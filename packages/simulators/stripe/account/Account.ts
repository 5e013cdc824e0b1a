import type { CallLog } from "../../kit/CallLog.ts"
import type { Faults } from "../../kit/Faults.ts"
import { Timers } from "../../kit/Timers.ts"
import type { StripeOptions } from "../Vendor.ts"
import { Ids } from "../wire/Ids.ts"
import { CheckoutSessions } from "./CheckoutSessions.ts"
import { Collections } from "./Collections.ts"
import { Customers } from "./Customers.ts"
import { Disputes } from "./Disputes.ts"
import { Events } from "./Events.ts"
import { PaymentIntents } from "./PaymentIntents.ts"
import { PaymentMethods } from "./PaymentMethods.ts"
import { Refunds } from "./Refunds.ts"
import { SetupIntents } from "./SetupIntents.ts"
import type { World } from "./World.ts"

/** One Stripe account with all its objects. */
export class Account {
  readonly events: Events
  readonly customers: Customers
  readonly methods: PaymentMethods
  readonly setups: SetupIntents
  readonly sessions: CheckoutSessions
  readonly collections: Collections
  readonly intents: PaymentIntents
  readonly refunds: Refunds
  readonly disputes: Disputes
  readonly ids: Ids
  /** The address of this simulator, once it listens. */
  origin = ""
  private readonly timers = new Timers()

  constructor(options: StripeOptions, log: CallLog, faults: Faults) {
    this.ids = new Ids(options.apiKey)
    this.events = new Events(options, log, faults, this.timers, this.ids)
    const world: World = {
      ids: this.ids,
      faults,
      now: options.now,
      later: (millis, run) => this.timers.after(millis, run),
      tell: (type, object) => this.events.tell(type, object),
      origin: () => this.origin
    }
    this.customers = new Customers(world)
    this.methods = new PaymentMethods(world, this.customers)
    this.setups = new SetupIntents(world, this.customers, this.methods)
    this.sessions = new CheckoutSessions(world, this.customers, this.setups)
    this.collections = new Collections(world)
    this.disputes = new Disputes(world)
    this.intents = new PaymentIntents(world, this.customers, this.methods, this.collections, (charge) => {
      this.disputes.open(charge)
    })
    this.refunds = new Refunds(world, this.intents, this.methods, this.collections)
  }

  /** Returns the object of an id by the id's beginning, as `expand` shows it; undefined for an unknown id. */
  objectOf(id: string): object | undefined {
    if (id.startsWith("cus_")) return this.customers.require(id)
    if (id.startsWith("pm_")) return this.methods.require(id)
    if (id.startsWith("pi_")) return this.intents.objects.get(id)
    if (id.startsWith("ch_")) return this.collections.objects.get(id)
    if (id.startsWith("seti_")) return this.setups.objects.get(id)
    return undefined
  }

  close(): void {
    this.events.close()
    this.timers.close()
  }
}
