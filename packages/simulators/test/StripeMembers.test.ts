import type Stripe from "stripe"
import { afterEach, assert, beforeEach, it } from "vitest"
import { type Stage, startStage } from "./StripeStage.ts"
import { specOf, undescribed } from "./VendorSpecs.ts"

const fixtures = specOf("stripe-fixtures3.json") as
  | { readonly resources: Readonly<Record<string, Readonly<Record<string, unknown>>>> }
  | undefined

/** Members of the examples that answers have only when they are expanded, or for platforms of other accounts. */
const expandable: Readonly<Record<string, ReadonlyArray<string>>> = {
  charge: ["refunds"],
  balance: ["connect_reserved"]
}

/** Members that came with versions of the API after the examples, by the official client's types. */
const newer: Readonly<Record<string, ReadonlyArray<string>>> = {
  payment_intent: ["allowed_payment_method_types", "payment_record"],
  setup_intent: ["allowed_payment_method_types", "customer_account", "managed_payments"],
  "checkout.session": ["allowed_payment_method_types"],
  dispute: ["intended_submission_method"]
}

/** Members whose examples show one of several kinds, or texts that callers choose. */
const open = new Set(["metadata", "data", "source", "payment_method_options", "last_payment_error", "next_action"])

/** Returns how the members of an answer differ from those of an example; both sides have to name a record's members. */
const differences = (answer: unknown, example: unknown, at: string): ReadonlyArray<string> => {
  if (!isRecord(answer) || !isRecord(example)) return []
  const [mine, theirs] = [Object.keys(answer), Object.keys(example)]
  const kind = String(answer.object ?? "")
  return [
    ...theirs
      .filter((name) => !mine.includes(name) && !expandable[kind]?.includes(name))
      .map((name) => `${at}.${name} is missing`),
    ...(at.includes(".") ? [] : mine)
      .filter((name) => !theirs.includes(name) && !newer[kind]?.includes(name))
      .map((name) => `${at}.${name} is not described`),
    ...theirs
      .filter((name) => mine.includes(name) && !open.has(name))
      .flatMap((name) => differences(answer[name], example[name], `${at}.${name}`))
  ]
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

let stage: Stage
beforeEach(async () => {
  stage = await startStage()
})
afterEach(() => stage.close())

/** Has the account make one object of each kind. */
const objects = async () => {
  const { client, simulator } = stage
  const customer: Stripe.Customer = await client.customers.create({ metadata: { external_id: "org_1" } })
  const method: Stripe.PaymentMethod = await client.paymentMethods.attach("pm_card_visa", { customer: customer.id })
  const setup: Stripe.SetupIntent = await client.setupIntents.create({ customer: customer.id })
  const session: Stripe.Checkout.Session = await client.checkout.sessions.create({
    mode: "setup",
    currency: "brl",
    success_url: "https://shop.example/done"
  })
  const pay = (external_id: string): Promise<Stripe.PaymentIntent> =>
    client.paymentIntents.create({
      amount: 4500,
      currency: "brl",
      customer: customer.id,
      payment_method: method.id,
      confirm: true,
      off_session: true,
      return_url: "https://shop.example/back",
      metadata: { external_id }
    })
  const intent = await pay("ctu_1")
  const charge: Stripe.Charge = await client.charges.retrieve(String(intent.latest_charge))
  const refund: Stripe.Refund = await client.refunds.create({ payment_intent: intent.id })
  const disputed = await pay("ctu_2")
  simulator.charges.dispute(disputed.id)
  const [dispute] = (await client.disputes.list({ payment_intent: disputed.id })).data
  const [event] = (await client.events.list({ type: "charge.dispute.created" })).data
  const balance: Stripe.Balance = await client.balance.retrieve()
  return { customer, method, setup, session, intent, charge, refund, dispute, event, balance }
}

it.skipIf(fixtures === undefined)(
  `answers have the members of the vendor's examples, and no others${undescribed(fixtures)}`,
  async () => {
    const made = await objects()
    const kinds = Object.values(made).map((one) => String(one?.object))
    assert.lengthOf(new Set(kinds), 10)
    const wrong = Object.values(made).flatMap((one) =>
      differences(
        JSON.parse(JSON.stringify(one)),
        fixtures?.resources[String(one?.object)],
        String(one?.object).replace(".", "_")
      )
    )
    assert.deepStrictEqual(wrong, [])
  }
)

it("each kind is what the client's types say, read as an answer or with its parts", async () => {
  const { client } = stage
  const { charge, dispute, event, intent, refund } = await objects()
  assert.deepInclude(refund, { amount: 4500, charge: charge.id, payment_intent: intent.id, status: "succeeded" })
  assert.strictEqual(event?.type, "charge.dispute.created")
  const paid = await client.paymentIntents.retrieve(intent.id, {
    expand: ["latest_charge", "payment_method", "customer"]
  })
  assert.isTrue(typeof paid.latest_charge === "object" && paid.latest_charge?.refunded)
  assert.isTrue(typeof paid.customer === "object" && paid.customer?.object === "customer")
  assert.strictEqual(dispute?.status, "needs_response")
})
