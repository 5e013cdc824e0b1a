import { afterEach, assert, beforeEach, it } from "vitest"
import { clientOf, refusalOf, type Stage, startStage, until } from "./StripeStage.ts"

let stage: Stage
beforeEach(async () => {
  stage = await startStage()
})
afterEach(() => stage.close())

/** Makes a customer that holds a card. */
const customerWith = async (card: string, external_id = "org_1") => {
  const { client } = stage
  const customer = await client.customers.create({ metadata: { external_id } })
  await client.paymentMethods.attach(card, { customer: customer.id })
  return customer.id
}

/** The parameters of a charge. */
const order = (customer: string, payment_method: string, external_id: string, more: object = {}) => ({
  amount: 4500,
  currency: "brl",
  customer,
  payment_method,
  confirm: true,
  allowed_payment_method_types: ["card" as const],
  metadata: { external_id },
  ...more
})

it("the official client makes a customer, finds it by id, and by a search only after the lag", async () => {
  const { client, simulator, turn } = stage
  const made = await client.customers.create({ metadata: { external_id: "org_1" }, email: "a@example.com" })
  assert.strictEqual((await client.customers.retrieve(made.id)).id, made.id)
  const query = "metadata['external_id']:'org_1'"
  assert.lengthOf((await client.customers.search({ query })).data, 0)
  turn(60_000)
  assert.deepStrictEqual(
    (await client.customers.search({ query })).data.map(({ id }) => id),
    [made.id]
  )
  assert.deepInclude(simulator.log.read(0, "customer")[0], { outcome: "created", external_id: "org_1", id: made.id })
})

it("a charge succeeds, is declined with its codes, or waits for the cardholder and goes on", async () => {
  const { client, simulator } = stage
  const customer = await customerWith("pm_card_ok")
  await client.paymentMethods.attach("pm_card_declined", { customer })
  await client.paymentMethods.attach("pm_card_authentication", { customer })
  const paid = await client.paymentIntents.create({
    ...order(customer, "pm_card_ok", "ctu_1"),
    expand: ["latest_charge"]
  })
  assert.deepInclude(paid, { status: "succeeded", amount_received: 4500, currency: "brl" })
  assert.isTrue(typeof paid.latest_charge === "object" && paid.latest_charge?.paid === true)
  const declined = await refusalOf(client.paymentIntents.create(order(customer, "pm_card_declined", "ctu_2")))
  assert.deepInclude(
    { ...declined, status: declined.statusCode },
    { status: 402, type: "StripeCardError", code: "card_declined", decline_code: "insufficient_funds" }
  )
  assert.strictEqual(declined.payment_intent?.status, "requires_payment_method")
  const away = order(customer, "pm_card_authentication", "ctu_3", { off_session: true })
  const unproven = await refusalOf(client.paymentIntents.create(away))
  assert.deepInclude({ ...unproven }, { code: "authentication_required", decline_code: "authentication_required" })
  const return_url = "https://shop.example/back"
  const waiting = await client.paymentIntents.create(order(customer, "pm_card_authentication", "ctu_4", { return_url }))
  assert.strictEqual(waiting.status, "requires_action")
  const url = waiting.next_action?.redirect_to_url?.url ?? ""
  assert.include(await (await fetch(url)).text(), "Approve")
  const body = new URLSearchParams({ outcome: "approve" })
  const back = await fetch(url, { method: "POST", body, redirect: "manual" })
  assert.match(
    back.headers.get("location") ?? "",
    /^https:\/\/shop\.example\/back\?payment_intent=pi_.*redirect_status=succeeded$/
  )
  assert.strictEqual((await client.paymentIntents.retrieve(waiting.id)).status, "succeeded")
  assert.deepStrictEqual(
    simulator.charges.list.map(({ external_id, status }) => [external_id, status]),
    [
      ["ctu_1", "succeeded"],
      ["ctu_2", "failed"],
      ["ctu_3", "failed"],
      ["ctu_4", "succeeded"]
    ]
  )
})

it("a key answers its first answer again, refuses another body, and is in use while the first call runs", async () => {
  const { client, simulator, turn } = stage
  const customer = await customerWith("pm_card_ok")
  const first = await client.paymentIntents.create(order(customer, "pm_card_ok", "ctu_1"), { idempotencyKey: "ctu_1" })
  const again = await client.paymentIntents.create(order(customer, "pm_card_ok", "ctu_1"), { idempotencyKey: "ctu_1" })
  assert.strictEqual(again.id, first.id)
  assert.strictEqual(Reflect.get(again.lastResponse.headers, "idempotent-replayed"), "true")
  const other = order(customer, "pm_card_ok", "ctu_1", { amount: 4501 })
  const conflict = await refusalOf(client.paymentIntents.create(other, { idempotencyKey: "ctu_1" }))
  assert.deepStrictEqual([conflict.statusCode, conflict.type], [400, "StripeIdempotencyError"])
  simulator.faults.set([{ name: "lands_late", operation: "charge", times: 1, value: 60_000 }], 1)
  const late = client.paymentIntents.create(order(customer, "pm_card_ok", "ctu_2"), { idempotencyKey: "ctu_2" })
  // The client calls again by itself, once, after a connection that was closed.
  assert.deepInclude({ ...(await refusalOf(late)) }, { statusCode: 409, code: "idempotency_key_in_use" })
  assert.lengthOf(simulator.charges.list, 1)
  turn(60_000)
  assert.lengthOf(simulator.charges.list, 2)
  const landed = await client.paymentIntents.create(order(customer, "pm_card_ok", "ctu_2"), { idempotencyKey: "ctu_2" })
  assert.strictEqual(landed.status, "succeeded")
  assert.deepStrictEqual(
    simulator.log.read(0, "charge").map(({ outcome }) => outcome),
    ["succeeded", "repeated", "idempotency_conflict", "lands_late", "idempotency_key_in_use", "repeated"]
  )
})

it("a card is saved on the hosted page, which goes on to the address that the session names", async () => {
  const { client } = stage
  const customer = (await client.customers.create({})).id
  const session = await client.checkout.sessions.create({
    mode: "setup",
    customer,
    allowed_payment_method_types: ["card"],
    success_url: "https://shop.example/done?session={CHECKOUT_SESSION_ID}",
    cancel_url: "https://shop.example/cards"
  })
  assert.deepInclude(session, { status: "open", payment_status: "no_payment_required" })
  const pick = (card: string) =>
    fetch(session.url ?? "", { method: "POST", body: new URLSearchParams({ card }), redirect: "manual" })
  assert.include(await (await pick("pm_card_unfinished")).text(), "Your card was declined")
  assert.strictEqual((await pick("")).headers.get("location"), "https://shop.example/cards")
  const done = await pick("pm_card_ok")
  assert.strictEqual(done.headers.get("location"), `https://shop.example/done?session=${session.id}`)
  const complete = await client.checkout.sessions.retrieve(session.id, { expand: ["setup_intent.payment_method"] })
  const setup = typeof complete.setup_intent === "object" ? complete.setup_intent : null
  assert.strictEqual(setup?.status, "succeeded")
  assert.isTrue(typeof setup?.payment_method === "object" && setup.payment_method?.card?.last4 === "4242")
  const cards = await client.paymentMethods.list({ customer, type: "card" })
  assert.deepStrictEqual(
    cards.data.map(({ id }) => id),
    ["pm_card_ok"]
  )
  assert.strictEqual((await refusalOf(client.checkout.sessions.expire(session.id))).statusCode, 400)
})

it("a setup intent is confirmed by the browser with its secret alone", async () => {
  const { client, simulator } = stage
  const customer = (await client.customers.create({})).id
  const setup = await client.setupIntents.create({ customer, allowed_payment_method_types: ["card"] })
  const browser = clientOf(simulator.url, "pk_test_simulated")
  const confirm = (client_secret: string) =>
    browser.rawRequest("POST", `/v1/setup_intents/${setup.id}/confirm`, {
      client_secret,
      payment_method: "pm_card_visa"
    })
  assert.strictEqual((await refusalOf(confirm("wrong"))).statusCode, 401)
  await confirm(setup.client_secret ?? "")
  const done = await client.setupIntents.retrieve(setup.id)
  assert.strictEqual(done.status, "succeeded")
  const method = await client.paymentMethods.retrieve(String(done.payment_method))
  assert.deepStrictEqual([method.customer, method.id.startsWith("pm_1")], [customer, true])
  assert.isNull((await client.paymentMethods.detach(method.id)).customer)
  assert.strictEqual(
    (await refusalOf(client.paymentMethods.attach(method.id, { customer }))).code,
    "payment_method_unexpected_state"
  )
})

it("webhooks are signed as the client verifies them, and come twice, late and unsigned when told to", async () => {
  const { client, received, simulator } = stage
  const customer = await customerWith("pm_card_ok")
  simulator.faults.set([{ name: "duplicate_webhook", times: 1 }], 1)
  await client.paymentIntents.create(order(customer, "pm_card_ok", "ctu_1"))
  await until(() => received.length === 2)
  const [first, second] = received.map(({ body, signature }) =>
    client.webhooks.constructEvent(body, signature, "whsec_simulated")
  )
  assert.deepStrictEqual([first?.type, second?.id], ["payment_intent.succeeded", first?.id])
  assert.strictEqual((await client.events.retrieve(first?.id ?? "")).id, first?.id)
  for (const name of ["stale_webhook", "bad_signature"]) {
    const before = received.length
    simulator.faults.set([{ name, times: 1 }], 1)
    await client.paymentIntents.create(order(customer, "pm_card_ok", name))
    await until(() => received.length > before)
    const { body = "", signature = "" } = received.at(-1) ?? {}
    assert.throws(() => client.webhooks.constructEvent(body, signature, "whsec_simulated"))
  }
  simulator.faults.set([{ name: "reorder_webhooks", times: 1 }], 1)
  const before = received.length
  await client.paymentIntents.create(order(customer, "pm_card_ok", "ctu_2"))
  await client.paymentIntents.create(order(customer, "pm_card_ok", "ctu_3"))
  await until(() => received.length === before + 2)
  assert.deepStrictEqual(
    received.slice(before).map(({ body }) => JSON.parse(body).data.object.metadata.external_id),
    ["ctu_3", "ctu_2"]
  )
})

it("parameters are refused with type, code and name, and nothing is charged", async () => {
  const { client, simulator } = stage
  const customer = await customerWith("pm_card_ok")
  const stranger = clientOf(simulator.url, "sk_test_wrong")
  assert.strictEqual((await refusalOf(stranger.customers.list())).type, "StripeAuthenticationError")
  for (const [more, code, param] of [
    [{ amount: 49 }, "amount_too_small", "amount"],
    [{ amount: "12.5" }, "parameter_invalid_integer", "amount"],
    [{ currency: "usd" }, undefined, "currency"],
    [{ customer: "cus_unknown" }, "resource_missing", "customer"],
    [{ payment_method: "pm_card_ok_2" }, "resource_missing", "payment_method"],
    [{ payment_method_types: ["card"] }, "parameter_unknown", "payment_method_types"],
    [{ allowed_payment_method_types: undefined }, undefined, "return_url"]
  ] as const) {
    const refused = await refusalOf(client.paymentIntents.create(order(customer, "pm_card_ok", "ctu_1", more) as never))
    assert.deepStrictEqual([refused.statusCode, refused.code, refused.param], [400, code, param], JSON.stringify(more))
  }
  assert.lengthOf(simulator.charges.list, 0)
  assert.deepInclude(
    { ...(await refusalOf(client.paymentIntents.retrieve("pi_unknown"))) },
    { statusCode: 404, code: "resource_missing" }
  )
})

it("payments are listed by customer in pages, and a search finds them after the lag", async () => {
  const { client, turn } = stage
  const customer = await customerWith("pm_card_ok")
  for (const id of ["ctu_1", "ctu_2", "ctu_3"]) await client.paymentIntents.create(order(customer, "pm_card_ok", id))
  const pageIds = []
  for await (const { metadata } of client.paymentIntents.list({ customer, limit: 2 }))
    pageIds.push(metadata.external_id)
  assert.deepStrictEqual(pageIds, ["ctu_3", "ctu_2", "ctu_1"])
  const query = `metadata["external_id"]:"ctu_2" AND customer:"${customer}"`
  assert.lengthOf((await client.paymentIntents.search({ query })).data, 0)
  turn(60_000)
  assert.strictEqual((await client.paymentIntents.search({ query })).data[0]?.metadata.external_id, "ctu_2")
})

it("a card and a customer of an earlier run are known by their ids", async () => {
  const { client } = stage
  const customer = await customerWith("pm_card_visa")
  const [card] = (await client.paymentMethods.list({ customer })).data
  const later = await startStage()
  try {
    const paid = await later.client.paymentIntents.create(order(customer, card?.id ?? "", "ctu_1"))
    assert.strictEqual(paid.status, "succeeded")
    const shared = await later.client.paymentIntents.create(order(customer, "pm_card_ok", "ctu_2"))
    assert.strictEqual(shared.status, "succeeded")
  } finally {
    await later.close()
  }
})
