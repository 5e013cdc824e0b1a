import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startTelnyx } from "@carteiro/simulators/telnyx/Simulator.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import Telnyx from "telnyx"
import { until } from "../support/Until.ts"
import { type Heard, startReceiver } from "../support/VendorReceiver.ts"

// The simulated Telnyx, driven by the official client: what the client cannot read, the simulator has wrong.

const stage = Effect.gen(function* () {
  const receiver = yield* startReceiver
  const options = { apiKey: "KEY_platform", webhookSecret: "secret", workMs: 0, now: vendorClock }
  const simulator = yield* Effect.acquireRelease(
    Effect.promise(() => startTelnyx(options)),
    ({ close }) => Effect.promise(close)
  )
  simulator.webhooks.aim(receiver.url)
  const clientOf = (apiKey: string, publicKey = simulator.publicKey) =>
    new Telnyx({ apiKey, publicKey, baseURL: `${simulator.url}/v2`, maxRetries: 0 })
  const control = (path: string, body: object) =>
    Effect.promise(async () => {
      const answer = await fetch(`${simulator.url}${path}`, { method: "POST", body: JSON.stringify(body) })
      return await answer.json()
    })
  return { simulator, receiver, clientOf, client: clientOf("KEY_platform"), control }
})

/** Longer than any run of a test: what is due then is under way to its end. In milliseconds. */
const hour = 3_600_000

const from = <A>(promise: () => PromiseLike<A>) => Effect.promise(async () => await promise())

const errorOf = (promise: () => PromiseLike<unknown>) =>
  Effect.promise(async () => {
    try {
      await promise()
    } catch (error) {
      return error as InstanceType<typeof Telnyx.APIError>
    }
    return assert.fail("the call was not refused")
  })

/** Reads a webhook as the vendor's own library does, which checks its signature and its age. */
const read = (client: Telnyx, heard: Heard | undefined) =>
  Effect.promise(() =>
    client.webhooks
      .unwrap(String(heard?.body), {
        headers: Object.fromEntries(Object.entries(heard?.headers ?? {}).map(([name, value]) => [name, String(value)]))
      })
      .then(
        (event) => event as { readonly data?: { readonly event_type?: string; readonly payload?: object } },
        () => undefined
      )
  )

const search = (national_destination_code: string, more: { readonly features?: Array<"sms"> } = {}) => ({
  filter: { country_code: "BR", national_destination_code, limit: 4, ...more }
})

it.live("the official client finds, orders, looks up, lists and releases numbers of the simulated Telnyx", () =>
  Effect.gen(function* () {
    const { client, receiver } = yield* stage
    assert.strictEqual((yield* from(() => client.balance.retrieve())).data?.record_type, "balance")
    const mixed = yield* from(() => client.availablePhoneNumbers.list(search("11")))
    assert.deepStrictEqual(
      mixed.data?.map(({ features }) => features?.some(({ name }) => name === "sms")),
      [true, false, true, false]
    )
    const found = yield* from(() => client.availablePhoneNumbers.list(search("11", { features: ["sms"] })))
    const phone_number = found.data?.[1]?.phone_number ?? ""
    assert.match(phone_number, /^\+5511\d{9}$/)
    const request = {
      phone_numbers: [{ phone_number }],
      customer_reference: "order_1",
      messaging_profile_id: "profile"
    }
    const made = yield* from(() => client.numberOrders.create(request))
    assert.deepInclude(made.data, { status: "pending", customer_reference: "order_1", phone_numbers_count: 1 })
    const taken = yield* errorOf(() => client.numberOrders.create(request))
    assert.instanceOf(taken, Telnyx.UnprocessableEntityError)
    const [complete] = yield* receiver.heard(1)
    const event = yield* read(client, complete)
    assert.strictEqual(event?.data?.event_type, "number_order.complete")
    assert.deepInclude(event?.data?.payload, { id: made.data?.id, status: "success" })
    const orders = yield* from(() => client.numberOrders.list({ filter: { customer_reference: "order_1" } }))
    assert.deepStrictEqual(
      orders.data.map(({ id, status }) => [id, status]),
      [[made.data?.id, "success"]]
    )
    assert.strictEqual((yield* from(() => client.numberOrders.retrieve(made.data?.id ?? ""))).data?.status, "success")
    const [number] = (yield* from(() => client.phoneNumbers.list({ filter: { phone_number } }))).data
    assert.deepInclude(number, { phone_number, status: "active", customer_reference: "order_1" })
    const settings = yield* from(() => client.phoneNumbers.messaging.retrieve(number?.id ?? ""))
    assert.isTrue(settings.data?.features?.sms?.domestic_two_way)
    const left = yield* from(() => client.availablePhoneNumbers.list(search("11", { features: ["sms"] })))
    assert.isFalse(left.data?.some((one) => one.phone_number === phone_number))
    assert.strictEqual((yield* from(() => client.phoneNumbers.delete(number?.id ?? ""))).data?.status, "deleted")
    assert.instanceOf(yield* errorOf(() => client.phoneNumbers.delete(number?.id ?? "")), Telnyx.NotFoundError)
  }).pipe(Effect.scoped)
)

it.live("a customer's account of the simulated Telnyx has pages of numbers, its own key and its own webhooks", () =>
  Effect.gen(function* () {
    const { client, clientOf, control, receiver } = yield* stage
    const numbers = Array.from({ length: 25 }, (_, at) => ({
      number_id: `n${at}`,
      number: `+5521${930_000_000 + at}`,
      sms: at > 0
    }))
    const account = { key: "KEY_customer", id: "acc_1", numbers, webhook_secret: "own", webhook_url: receiver.url }
    const { public_key } = yield* control("/accounts", account)
    const customer = clientOf("KEY_customer", public_key)
    const listed: Array<string> = []
    yield* Effect.promise(async () => {
      for await (const { id } of customer.phoneNumbers.list({ "page[size]": 10 })) listed.push(id)
    })
    assert.deepStrictEqual(
      listed,
      numbers.map(({ number_id }) => number_id)
    )
    const silent = yield* from(() => customer.phoneNumbers.messaging.retrieve("n0"))
    assert.isNull(silent.data?.features?.sms)
    const two = [numbers[1]?.number, numbers[24]?.number]
    const able = yield* from(() => customer.phoneNumbers.messaging.list({ "filter[phone_number]": two.join(",") }))
    assert.deepStrictEqual(
      able.data.map(({ phone_number }) => phone_number),
      two
    )
    assert.include((yield* control("/sms", { to: numbers[0]?.number, text: "123-456" })).error, "takes messages")
    yield* control("/sms", { to: numbers[1]?.number, text: "123-456" })
    const [sms] = yield* receiver.heard(1)
    const event = yield* read(customer, sms)
    assert.strictEqual(event?.data?.event_type, "message.received")
    assert.deepInclude(event?.data?.payload, { text: "123-456", direction: "inbound", type: "SMS" })
    assert.isUndefined(yield* read(client, sms))
    yield* control("/accounts", { ...account, numbers: [], suspended: true })
    assert.instanceOf(yield* errorOf(() => customer.balance.retrieve()), Telnyx.PermissionDeniedError)
    assert.instanceOf(yield* errorOf(() => clientOf("KEY_nobody").balance.retrieve()), Telnyx.AuthenticationError)
  }).pipe(Effect.scoped)
)

it.live("calls to the simulated Telnyx are cut, limited, failed after their effect, and land late", () =>
  Effect.gen(function* () {
    const { client, control, receiver, simulator } = yield* stage
    let at = 0
    const create = (customer_reference: string) =>
      client.numberOrders.create({
        customer_reference,
        phone_numbers: [{ phone_number: `+55119${20_000_000 + at++ * 2}` }]
      })
    const count = (customer_reference: string) =>
      Effect.map(
        from(() => client.numberOrders.list({ filter: { customer_reference } })),
        ({ data }) => data.length
      )
    const fault = (name: string, more: object = {}) =>
      simulator.faults.set([{ name, operation: "order", times: 1, ...more }], 1)
    fault("rate_limited", { value: 7 })
    const limited = yield* errorOf(() => create("limited"))
    assert.instanceOf(limited, Telnyx.RateLimitError)
    assert.strictEqual(limited.headers?.get("retry-after"), "7")
    fault("reset")
    assert.instanceOf(yield* errorOf(() => create("cut")), Telnyx.APIConnectionError)
    assert.strictEqual(yield* count("cut"), 0)
    fault("error_500_after")
    assert.instanceOf(yield* errorOf(() => create("failed")), Telnyx.InternalServerError)
    assert.strictEqual(yield* count("failed"), 1)
    fault("lands_late", { value: hour })
    assert.instanceOf(yield* errorOf(() => create("under way")), Telnyx.APIConnectionError)
    assert.strictEqual(yield* count("under way"), 0)
    assert.instanceOf(yield* errorOf(() => create("under way")), Telnyx.ConflictError)
    fault("lands_late", { value: 1 })
    assert.instanceOf(yield* errorOf(() => create("late")), Telnyx.APIConnectionError)
    yield* until(Effect.map(count("late"), (total) => total === 1))
    simulator.faults.set([{ name: "lagging_lookup", value: 600_000 }], 1)
    assert.strictEqual(yield* count("late"), 0)
    simulator.faults.set([{ name: "unfiltered_lookup" }], 1)
    assert.strictEqual(yield* count("nothing"), 2)
    simulator.faults.set([{ name: "voice_only" }], 1)
    const calls = yield* from(() => client.availablePhoneNumbers.list(search("11", { features: ["sms"] })))
    assert.deepStrictEqual(calls.data, [])
    yield* receiver.heard(2)
    for (const name of ["bad_signature", "stale_webhook"]) {
      simulator.faults.set([{ name, times: 1 }], 1)
      const [to] = [...simulator.numbers.accounts.values()].flatMap(({ numbers }) => [...numbers.values()])
      yield* control("/sms", { to: to?.phoneNumber, text: "123-456" })
      assert.isUndefined(yield* read(client, (yield* receiver.heard(1))[0]), name)
    }
  }).pipe(Effect.scoped)
)
