import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { violations } from "../billing/Accounts.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { NumberWorld, vendorsOf } from "./NumberWorld.ts"
import { minutes, rentalStage } from "./RentalStage.ts"

const world = new NumberWorld()
/** An approved order among vendors that behave as `befalls` says from its first step on. */
const stage = (befalls: () => void = () => {}, options: { readonly connected?: boolean } = {}) =>
  rentalStage(world, { ...options, before: () => Effect.sync(befalls) })

const untouched = ["1000.0000", "0.0000"]

it.layer(WholeProduct({ sweeps: false, vendors: vendorsOf(world) }), { excludeTestServices: true })(
  "Renting a number",
  (it) => {
    it.effect(
      "goes from the approval to an active number whose first month is charged, in the steps of the machine M-ORD-17 C-LED-19",
      () =>
        Effect.gen(function* () {
          const { api, balance, drive, id, number, standing, tenant } = yield* stage(() => {
            world.delivery = "waits"
          })
          yield* drive(500)
          assert.deepStrictEqual(yield* standing, ["provisioning", "provisioning", "open"])
          world.delivery = "comes"
          const silent = world.sms
          world.sms = () => Effect.void
          yield* drive(10_000)
          assert.deepStrictEqual(yield* standing, ["provisioning", "verifying", "open"])
          world.sms = silent
          assert.isNull(yield* drive())
          assert.deepStrictEqual(yield* standing, ["fulfilled", "active", "settled"])
          const active = yield* number
          const [order] = world.orders.values()
          assert.deepStrictEqual(
            [active.phone, active.provider_number_id, active.biz_account_id, active.error_code, order?.external_id],
            [order?.number, order?.number_id, "2001", null, id]
          )
          assert.match(active.phone, /^\+55219\d{8}$/)
          assert.deepStrictEqual([world.registered.get(active.phone)?.is_registered, world.costs.length], [true, 1])
          assert.isNotNull(active.activated_at)
          assert.deepStrictEqual([active.verification_code, active.monthly_fee_brl], [null, "49.9000"])
          assert.deepStrictEqual(yield* balance, ["950.1000", "0.0000"])
          const ledger = yield* api.get("/v1/billing/ledger", { key: tenant.production.key })
          // The reservation shows as the debit that it settled into, and as nothing else.
          assert.deepStrictEqual(
            ledger.body.data.map(({ amount_brl, meter_id, type }: Record<string, string>) => [
              type,
              meter_id,
              amount_brl
            ]),
            [
              ["debit", "phone.rental.month", "49.9000"],
              ["credit", null, "1000.0000"]
            ]
          )
          assert.deepStrictEqual(yield* violations, [])
        })
    )

    it.effect("looks an order up whose answer was lost, and never places it twice M-ORD-17", () =>
      Effect.gen(function* () {
        const { drive, standing } = yield* stage(() => {
          world.mishaps.order = ["lost_after"]
          world.mishaps.find = ["lost"]
          world.mishaps.add = ["lost_after"]
          world.mishaps.verify_code = ["lost_after"]
          world.mishaps.register = ["lost_after"]
        })
        assert.isNull(yield* drive())
        assert.deepStrictEqual(yield* standing, ["fulfilled", "active", "settled"])
        assert.deepStrictEqual([world.count("order"), world.orders.size, world.costs.length], [1, 1, 1])
        assert.strictEqual(world.count("add"), 1)
      })
    )

    it.effect("places an order again under its name after the provider refused it", () =>
      Effect.gen(function* () {
        const { drive, id, standing } = yield* stage(() => {
          world.mishaps.order = ["refused", "refused"]
        })
        assert.isNull(yield* drive())
        assert.deepStrictEqual(yield* standing, ["fulfilled", "active", "settled"])
        const placed = world.asked.filter(([operation]) => operation === "order")
        assert.deepStrictEqual(placed, [
          ["order", id],
          ["order", id],
          ["order", id]
        ])
        assert.strictEqual(world.costs.length, 1)
      })
    )

    it.effect("an order whose answer was lost is looked up for 15 minutes and never placed again M-ORD-17", () =>
      Effect.gen(function* () {
        const { balance, drive, id, standing } = yield* stage(() => {
          world.mishaps.order = ["lost"]
        })
        assert.isNull(yield* drive())
        assert.deepStrictEqual(yield* standing, ["failed", "failed", "released"])
        const placed = world.asked.filter(([operation]) => operation === "order")
        assert.deepStrictEqual([placed, world.costs, yield* balance], [[["order", id]], [], untouched])
      })
    )

    it.effect("fails after five retries over 15 minutes, and releases the reservation M-ORD-18 M-ORD-19", () =>
      Effect.gen(function* () {
        const { balance, drive, number, sql, standing } = yield* stage(() => {
          world.mishaps.order = Array.from({ length: 9 }, () => "refused" as const)
        })
        const began = yield* Clock.currentTimeMillis
        assert.isNull(yield* drive())
        assert.strictEqual((yield* Clock.currentTimeMillis) - began, minutes(15))
        assert.deepStrictEqual(yield* standing, ["failed", "failed", "released"])
        assert.deepStrictEqual([(yield* number).error_code, world.count("order")], ["number_unavailable", 6])
        assert.deepStrictEqual([yield* balance, world.costs], [untouched, []])
        assert.deepStrictEqual(yield* violations, [])
        assert.deepStrictEqual(
          yield* sql`select 1 from ledger_entries where type = 'debit'
            and meter_id = 'phone.rental.month' and amount = 0`,
          []
        )
      })
    )

    it.effect("an order that fails at the provider is placed again, under a new name", () =>
      Effect.gen(function* () {
        const { drive, id, standing } = yield* stage(() => {
          world.delivery = "fails"
        })
        assert.isNull(yield* drive())
        assert.deepStrictEqual(yield* standing, ["failed", "failed", "released"])
        assert.deepStrictEqual([...world.orders.keys()], [id, ...[2, 3, 4, 5, 6].map((count) => `${id}.${count}`)])
      })
    )

    it.effect("a number that is delivered after its order was given up is returned at once", () =>
      Effect.gen(function* () {
        const { balance, drive, number, standing } = yield* stage(() => {
          world.delivery = "waits"
        })
        assert.strictEqual(yield* drive(minutes(20)), "watch")
        assert.deepStrictEqual(yield* standing, ["failed", "failed", "released"])
        assert.strictEqual((yield* number).error_code, "number_delivery_timeout")
        world.delivery = "comes"
        world.mishaps.release = ["lost", "lost_after"]
        assert.isNull(yield* drive())
        assert.deepStrictEqual([world.costs, world.rented.size, yield* balance], [[], 1, untouched])
        assert.deepStrictEqual(yield* standing, ["failed", "failed", "released"])
      })
    )

    const lateOrder = () => {
      world.mishaps.order = ["late"]
    }

    it.effect("an order that arrives after it was given up is returned at once", () =>
      Effect.gen(function* () {
        const { balance, drive, standing } = yield* stage(lateOrder)
        assert.strictEqual(yield* drive(minutes(20)), "watch")
        assert.deepStrictEqual(yield* standing, ["failed", "failed", "released"])
        world.land()
        assert.isNull(yield* drive())
        assert.deepStrictEqual([world.rented.size, world.costs, yield* balance], [1, [], untouched])
      })
    )

    it.effect("a report about an order that was never found makes its number be returned", () =>
      Effect.gen(function* () {
        const { drive, hint } = yield* stage(lateOrder)
        assert.isNull(yield* drive(minutes(180)))
        assert.strictEqual(world.rented.size, 0)
        world.land()
        yield* hint
        assert.isNull(yield* drive())
        assert.deepStrictEqual([world.rented.size, world.costs], [1, []])
      })
    )

    it.effect("a number that cannot be registered fails and is returned M-ORD-19", () =>
      Effect.gen(function* () {
        const { balance, drive, number, standing } = yield* stage(() => {
          world.sms = () => Effect.void
        })
        assert.isNull(yield* drive())
        assert.deepStrictEqual(yield* standing, ["failed", "failed", "released"])
        const failed = yield* number
        assert.strictEqual(failed.error_code, "verification_code_timeout")
        assert.isNotNull(failed.error_message)
        assert.deepStrictEqual([world.costs, world.rented.size, yield* balance], [[], 1, untouched])
        assert.strictEqual(world.count("request_code"), 6)
      })
    )

    it.effect("nothing is rented for an environment until it has a connection", () =>
      Effect.gen(function* () {
        const { connect, drive, standing } = yield* stage(undefined, { connected: false })
        yield* drive(minutes(1))
        assert.deepStrictEqual(yield* standing, ["approved", "requested", "open"])
        assert.deepStrictEqual(world.asked, [])
        yield* connect
        assert.isNull(yield* drive())
        assert.deepStrictEqual(yield* standing, ["fulfilled", "active", "settled"])
        const never = yield* stage(undefined, { connected: false })
        assert.isNull(yield* never.drive())
        assert.deepStrictEqual(yield* never.standing, ["failed", "failed", "released"])
        assert.deepStrictEqual([(yield* never.number).error_code, world.asked], ["no_provider_connection", []])
      })
    )

    it.effect("a phone that is live already is not rented a second time M-PHN-51", () =>
      Effect.gen(function* () {
        const { drive, number, sql, standing, tenant } = yield* stage(() => {
          world.delivery = "waits"
        })
        yield* drive(500)
        const [order] = world.orders.values()
        assert.isDefined(order)
        if (order === undefined) return
        world.deliver(order)
        yield* sql`insert into phone_numbers (environment_id, id, environment, source, status, phone, created_at, updated_at)
          values (${tenant.sandbox.id}, ${`pn_taken_${order.id}`}, 'sandbox', 'byon', 'active', ${order.number}, now(), now())`
        assert.isNull(yield* drive())
        assert.deepStrictEqual(yield* standing, ["failed", "failed", "released"])
        assert.deepStrictEqual([(yield* number).error_code, world.costs], ["phone_number_conflict", []])
      })
    )

    it.effect("a number that its provider delivers twice stays with its first order M-PHN-51", () =>
      Effect.gen(function* () {
        const { drive, number, sql, standing, tenant } = yield* stage(() => {
          world.delivery = "waits"
        })
        yield* drive(500)
        const [order] = world.orders.values()
        if (order === undefined) return assert.fail("no order")
        const held = world.deliver(order)
        yield* sql`insert into phone_numbers (environment_id, id, environment, source, status, phone, provider_number_id,
            created_at, updated_at)
          values (${tenant.sandbox.id}, ${`pn_held_${order.id}`}, 'sandbox', 'numprov', 'active',
            ${`+5521955${order.id.replace(/\D/g, "").padStart(6, "0")}`}, ${held}, now(), now())`
        assert.isNull(yield* drive())
        assert.deepStrictEqual(yield* standing, ["failed", "failed", "released"])
        assert.deepStrictEqual([(yield* number).error_code, world.count("release")], ["phone_number_conflict", 0])
        assert.deepStrictEqual(world.costs, [held])
      })
    )

    it.effect("an area code whose numbers take calls only fails at once, and nothing is bought M-ORD-19", () =>
      Effect.gen(function* () {
        const { balance, drive, number, standing } = yield* stage(() => {
          world.refusal = "calls_only"
          world.mishaps.order = ["refused"]
        })
        const began = yield* Clock.currentTimeMillis
        assert.isNull(yield* drive())
        assert.strictEqual((yield* Clock.currentTimeMillis) - began, 0)
        assert.deepStrictEqual(yield* standing, ["failed", "failed", "released"])
        assert.strictEqual((yield* number).error_code, "number_receives_no_texts")
        assert.deepStrictEqual([world.count("order"), world.costs, yield* balance], [1, [], untouched])
      })
    )

    it.effect("a number of another area code than the approved one is returned", () =>
      Effect.gen(function* () {
        const { drive, number, standing } = yield* stage(() => {
          world.area = "11"
        })
        assert.isNull(yield* drive())
        assert.deepStrictEqual(yield* standing, ["failed", "failed", "released"])
        assert.deepStrictEqual([(yield* number).error_code, world.costs], ["number_unavailable", []])
        assert.strictEqual(world.rented.size, 1)
      })
    )

    it.effect("a release is recorded first, and sent to the provider until it has taken the number back", () =>
      Effect.gen(function* () {
        const { balance, drive, number, order, production } = yield* stage()
        assert.isNull(yield* drive())
        const { id } = yield* number
        world.mishaps.release = ["lost", "refused", "lost_after"]
        const released = yield* production.post(`/${id}/release`, { reason: "closed" })
        assert.deepStrictEqual([released.status, released.body.status], [202, "release_requested"])
        assert.strictEqual((yield* production.post(`/${id}/release`, {})).status, 200)
        yield* drive(1)
        assert.deepStrictEqual([(yield* number).status, world.costs.length], ["release_requested", 1])
        assert.isNull(yield* drive())
        const gone = yield* number
        assert.deepStrictEqual([gone.status, world.costs, world.count("release")], ["released", [], 4])
        assert.isNotNull(gone.released_at)
        // The order stays fulfilled, and the month that was charged at delivery is not refunded. M-ORD-19
        assert.strictEqual((yield* order).status, "fulfilled")
        assert.deepStrictEqual(yield* balance, ["950.1000", "0.0000"])
      })
    )

    it.effect("a number released during setup fails its order and costs nothing M-ORD-18", () =>
      Effect.gen(function* () {
        const { balance, drive, number, production, sql, standing } = yield* stage(() => {
          world.delivery = "waits"
        })
        yield* drive(500)
        const { id } = yield* number
        const [order] = world.orders.values()
        if (order === undefined) return assert.fail("nothing was ordered")
        world.deliver(order)
        // Delivered, and not registered yet.
        yield* sql`update phone_numbers set status = 'provisioned', phone = ${order.number},
          provider_number_id = ${order.number_id} where id = ${id}`
        yield* sql`update phone_number_orders set step = 'register', provider_number_id = ${order.number_id},
          due_at = now() + interval '1 year' where phone_number_id = ${id}`
        assert.strictEqual((yield* production.post(`/${id}/release`, {})).status, 202)
        assert.isNull(yield* drive())
        assert.deepStrictEqual(yield* standing, ["failed", "released", "released"])
        assert.deepStrictEqual([world.costs, yield* balance], [[], untouched])
        assert.deepStrictEqual(yield* violations, [])
      })
    )
  }
)
