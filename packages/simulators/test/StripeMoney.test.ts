import { afterEach, assert, beforeEach, it } from "vitest"
import { refusalOf, type Stage, startStage, until } from "./StripeStage.ts"

let stage: Stage
let customer: string
beforeEach(async () => {
  stage = await startStage()
  customer = (await stage.client.customers.create({})).id
})
afterEach(() => stage.close())

/** Charges a card under the product's id, which is also the key. */
const pay = (external_id: string, payment_method = "pm_card_visa") =>
  stage.client.paymentIntents.create(
    {
      amount: 4500,
      currency: "brl",
      customer,
      payment_method,
      confirm: true,
      allowed_payment_method_types: ["card"],
      metadata: { external_id }
    },
    { idempotencyKey: external_id }
  )

const control = async (path: string, body: object) => {
  const answer = await fetch(`${stage.simulator.url}${path}`, { method: "POST", body: JSON.stringify(body) })
  return [answer.status, await answer.json()]
}

const types = () => stage.received.map(({ body }) => JSON.parse(body).type as string)

it("refunds return part of a charge and then the rest, and no more", async () => {
  const { client, simulator } = stage
  const paid = await pay("ctu_1")
  const part = await client.refunds.create({ payment_intent: paid.id, amount: 1500, reason: "requested_by_customer" })
  assert.deepInclude(part, { status: "succeeded", amount: 1500, currency: "brl" })
  assert.strictEqual(
    (await refusalOf(client.refunds.create({ payment_intent: paid.id, amount: 3001 }))).param,
    "amount"
  )
  await client.refunds.create({ charge: String(paid.latest_charge) })
  assert.strictEqual(
    (await refusalOf(client.refunds.create({ payment_intent: paid.id }))).code,
    "charge_already_refunded"
  )
  assert.deepStrictEqual(
    (await client.refunds.list({ payment_intent: paid.id })).data.map(({ amount }) => amount),
    [3000, 1500]
  )
  assert.deepInclude(await client.charges.retrieve(String(paid.latest_charge)), {
    refunded: true,
    amount_refunded: 4500
  })
  assert.strictEqual(simulator.charges.list[0]?.status, "refunded")
})

it("a refund can stay pending and fail, and the amount can be refunded again", async () => {
  const { client, simulator } = stage
  const paid = await pay("ctu_1")
  simulator.faults.set([{ name: "refund_pending", times: 1, value: 60_000 }], 1)
  const pending = await client.refunds.create({ payment_intent: paid.id })
  assert.deepInclude(pending, { status: "pending", pending_reason: "processing" })
  assert.deepStrictEqual(await control("/outcomes", { id: pending.id, status: "failed" }), [200, { status: "failed" }])
  assert.deepInclude(await client.refunds.retrieve(pending.id), {
    status: "failed",
    failure_reason: "lost_or_stolen_card"
  })
  await until(() => types().includes("refund.failed"))
  assert.strictEqual((await client.charges.retrieve(String(paid.latest_charge))).amount_refunded, 0)
  assert.deepStrictEqual(await control("/refunds", { charge: "ctu_1" }), [200, { status: "refunded" }])
})

it("a disputed charge cannot be refunded, and its dispute is closed as won or lost", async () => {
  const { client } = stage
  for (const outcome of ["won", "lost"] as const) {
    const paid = await pay(outcome, "pm_card_createDispute")
    const [dispute] = (await client.disputes.list({ payment_intent: paid.id })).data
    assert.deepInclude(dispute, { status: "needs_response", amount: 4500, charge: String(paid.latest_charge) })
    assert.strictEqual((await refusalOf(client.refunds.create({ payment_intent: paid.id }))).code, "charge_disputed")
    assert.deepStrictEqual(await control("/outcomes", { id: dispute?.id, status: outcome }), [200, { status: outcome }])
    assert.strictEqual((await client.disputes.retrieve(dispute?.id ?? "")).status, outcome)
  }
  await until(() => types().filter((type) => type === "charge.dispute.closed").length === 2)
  assert.deepStrictEqual(
    stage.simulator.charges.list.map(({ status }) => status),
    ["succeeded", "refunded"]
  )
})

it("the control route for disputes names the dispute, which is decided later under its id", async () => {
  await pay("ctu_1")
  const [status, body] = await control("/disputes", { charge: "ctu_1" })
  const [dispute] = (await stage.client.disputes.list()).data
  assert.deepStrictEqual([status, body], [200, { status: "succeeded", dispute: dispute?.id }])
  assert.deepStrictEqual(await control("/outcomes", { id: dispute?.id, status: "lost" }), [200, { status: "lost" }])
  await refusalOf(pay("ctu_2", "pm_card_visa_chargeDeclinedLostCard"))
  assert.deepStrictEqual(await control("/disputes", { charge: "ctu_2" }), [200, { status: "failed", dispute: null }])
})

it("a declined charge is collected later, and one that waits can be cancelled", async () => {
  const { client } = stage
  await refusalOf(pay("ctu_1", "pm_card_visa_chargeDeclinedLostCard"))
  assert.deepStrictEqual(await control("/late-payments", { charge: "ctu_1" }), [200, { status: "succeeded" }])
  await until(() => types().includes("payment_intent.succeeded"))
  const waiting = await pay("ctu_2", "pm_card_authenticationRequired")
  assert.strictEqual(waiting.next_action?.type, "use_stripe_sdk")
  assert.strictEqual((await client.paymentIntents.cancel(waiting.id)).status, "canceled")
  const again = await refusalOf(client.paymentIntents.cancel(waiting.id))
  assert.strictEqual(again.code, "payment_intent_unexpected_state")
  assert.deepStrictEqual(await control("/late-payments", { charge: "ctu_9" }), [
    400,
    { error: "charge: the payment's id at Stripe, or yours" }
  ])
})

it("a lost call charges once however it was lost, and the key tells afterwards", async () => {
  const { client, simulator } = stage
  for (const name of ["timeout", "error_500", "timeout_after", "error_500_after"]) {
    simulator.faults.set([{ name, operation: "charge", times: 1 }], 1)
    await refusalOf(pay(name))
    const before = (await client.paymentIntents.list({ customer })).data.filter(
      ({ metadata }) => metadata.external_id === name
    )
    assert.lengthOf(before, name.endsWith("after") ? 1 : 0, name)
    assert.strictEqual((await pay(name)).status, "succeeded")
  }
  assert.lengthOf(simulator.charges.list, 4)
  simulator.faults.set([{ name: "error_500_kept", operation: "charge", times: 1 }], 1)
  for (let n = 0; n < 2; n++) assert.strictEqual((await refusalOf(pay("kept"))).statusCode, 500)
  assert.lengthOf(simulator.charges.list, 5)
})

it("the client calls again by itself when a connection is closed, so that the key alone keeps it to one charge", async () => {
  const { simulator } = stage
  simulator.faults.set([{ name: "reset_after", operation: "charge", times: 1 }], 1)
  assert.strictEqual((await pay("ctu_1")).status, "succeeded")
  assert.lengthOf(simulator.charges.list, 1)
  assert.deepStrictEqual(
    simulator.log.read(0, "charge").map(({ lost, outcome }) => [outcome, lost]),
    [
      ["succeeded", "reset_after"],
      ["repeated", undefined]
    ]
  )
})

it("a decline is answered again under its key, and a refused parameter leaves the key free", async () => {
  const { simulator } = stage
  const first = await refusalOf(pay("ctu_1", "pm_card_visa_chargeDeclinedInsufficientFunds"))
  const second = await refusalOf(pay("ctu_1", "pm_card_visa_chargeDeclinedInsufficientFunds"))
  assert.deepStrictEqual([second.charge, second.decline_code], [first.charge, "insufficient_funds"])
  assert.lengthOf(simulator.charges.list, 1)
  await refusalOf(pay("ctu_2", "pm_unknown"))
  assert.strictEqual((await pay("ctu_2")).status, "succeeded")
})

it("limits answer 429 with the seconds to wait, and a webhook can come before its answer", async () => {
  const { simulator } = stage
  simulator.faults.set([{ name: "rate_limited", operation: "charge", times: 1, value: 7 }], 1)
  const limited = await refusalOf(pay("ctu_1"))
  assert.deepStrictEqual([limited.type, limited.headers?.["retry-after"]], ["StripeRateLimitError", "7"])
  simulator.faults.set([{ name: "webhook_first", operation: "charge", times: 1, value: 200 }], 1)
  let isAnswered = false
  const call = pay("ctu_1").then(() => {
    isAnswered = true
  })
  await until(() => types().includes("payment_intent.succeeded"))
  assert.isFalse(isAnswered)
  await call
})

it("look-ups can lag, and can show the payments of others", async () => {
  const { client, simulator, turn } = stage
  await pay("ctu_1")
  simulator.faults.set([{ name: "lagging_lookup", operation: "charge_lookup", value: 60_000 }], 1)
  assert.lengthOf((await client.paymentIntents.list({ customer })).data, 0)
  turn(60_000)
  assert.lengthOf((await client.paymentIntents.list({ customer })).data, 1)
  simulator.faults.set([{ name: "unfiltered_lookup", operation: "charge_lookup", times: 1 }], 1)
  const [other] = (await client.paymentIntents.list({ customer })).data
  assert.isUndefined(other?.metadata.external_id)
})
