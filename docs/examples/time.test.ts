import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Carteiro } from "@carteiro/sdk"
import { afterAll, beforeAll, expect, test } from "vitest"

// Twenty things that only time brings about, against the sandbox of a started product, which they empty before and after:
//   CARTEIRO_API_KEY=… CARTEIRO_API_BASE=… PORT=4020 npx vitest run time.test.ts

const carteiro = new Carteiro({ apiKey: process.env.CARTEIRO_API_KEY, baseUrl: process.env.CARTEIRO_API_BASE })
const { clock } = carteiro.sandbox

/** Waits for the end of an advance or a reset. */
const ended = async (id: string) => {
  for (;;) {
    const advance = await clock.advances.get(id)
    if (advance.status !== "running") return advance
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
/** Turns the clock ahead and waits until everything due on the way has run. */
const timeGoes = async (ahead: { by_seconds: number } | { to: string }) => {
  const { error } = await ended((await clock.advance(ahead)).id)
  if (error !== null) throw new Error(error.message)
}
/** Empties the sandbox and takes its clock back to real time, whatever an earlier run left. */
const emptySandbox = async () => {
  const { advance_id } = await clock.get()
  if (advance_id !== null) await ended(advance_id)
  const { project } = await carteiro.account.get()
  await ended((await clock.reset({ project_slug: project.slug })).id)
}
const minute = 60
const hour = 60 * minute
const day = 24 * hour
const inTime = async (seconds: number) => new Date(Date.parse((await clock.get()).now) + seconds * 1000).toISOString()

const attempts: Array<string | undefined> = []
const receiver = createServer((request, response) => {
  attempts.push(request.url)
  request.resume().on("end", () => response.writeHead(503).end())
})
let number = ""
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(Number(process.env.PORT ?? 4020), "127.0.0.1", resolve))
  await emptySandbox()
  number = (await carteiro.sandbox.quickstart()).sender.phone_number_id ?? ""
  await clock.freeze()
  // The first turn of a clock begins half a second after it was asked for.
  await timeGoes({ by_seconds: 1 })
}, 30_000)
afterAll(async () => {
  receiver.close()
  await emptySandbox()
}, 30_000)

let customers = 0
const aCustomer = () => `+55119${String(10_000_000 + ++customers)}`
const writes = (from: string, body = "Oi") =>
  carteiro.sandbox.simulateInbound({ channel: "chatapp", from, to: number, type: "text", text: { body } })
const envelope = (to: string) => ({
  channel: "chatapp" as const,
  sender: { type: "chatapp_phone_number" as const, id: number },
  recipient: { type: "phone_e164" as const, id: to }
})
const sendText = (to: string) =>
  carteiro.messages.send({ ...envelope(to), message: { type: "text", text: { body: "Olá!" } } })
const sendWelcome = (to: string) =>
  carteiro.messages.send({
    ...envelope(to),
    message: { type: "template", template: { name: "welcome", language: "pt_BR", variables: { 1: "Ana" } } }
  })
/** An endpoint that answers 503, and how often it was tried. */
const brokenEndpoint = async () => {
  const path = `/broken-${Date.now()}`
  const { id } = await carteiro.webhooks.endpoints.create({
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`,
    subscribed_events: ["message.received"]
  })
  return { id, tries: () => attempts.filter((url) => url === path).length }
}
const statusOf = async (id: string) => (await carteiro.messages.get(id)).status

test("nothing leaves while the clock stands, and a message is read some seconds later", async () => {
  const to = aCustomer()
  await writes(to)
  const { id } = await sendText(to)
  expect(["queued", "sending"]).toContain(await statusOf(id))
  await timeGoes({ by_seconds: 10 })
  expect(await statusOf(id)).toBe("read")
})

test("the service window closes after a day", async () => {
  const to = aCustomer()
  await writes(to)
  await timeGoes({ by_seconds: day + minute })
  await expect(sendText(to)).rejects.toMatchObject({ code: "service_window_required" })
})

test("a new message of the customer opens the window again", async () => {
  const to = aCustomer()
  await writes(to)
  await timeGoes({ by_seconds: day + minute })
  await writes(to)
  await expect(sendText(to)).resolves.toMatchObject({ status: "queued" })
})

test("a template reaches a customer whose window is closed", async () => {
  const { id } = await sendWelcome(aCustomer())
  await timeGoes({ by_seconds: minute })
  expect(await statusOf(id)).toBe("read")
})

test("times in answers are times of the sandbox", async () => {
  const to = aCustomer()
  await writes(to)
  const { id } = await sendText(to)
  const { created_at } = await carteiro.messages.get(id)
  expect(created_at).toBe((await clock.get()).now)
})

test("a broken receiver is tried eight times within 31 hours, then the delivery has failed", async () => {
  const endpoint = await brokenEndpoint()
  await writes(aCustomer())
  await timeGoes({ by_seconds: 31 * hour })
  expect(endpoint.tries()).toBe(8)
  const [delivery] = await carteiro.webhooks.events.list({ webhook_endpoint_id: endpoint.id }).toArray({ limit: 1 })
  expect(delivery?.status).toBe("failed")
  await carteiro.webhooks.endpoints.delete(endpoint.id)
})

test("a delivery is tried again after five seconds, five minutes and half an hour", async () => {
  const endpoint = await brokenEndpoint()
  await writes(aCustomer())
  const counted: Array<number> = []
  for (const by_seconds of [1, 6, 6 * minute, 34 * minute]) {
    await timeGoes({ by_seconds })
    counted.push(endpoint.tries())
  }
  expect(counted).toEqual([1, 2, 3, 4])
  await carteiro.webhooks.endpoints.delete(endpoint.id)
})

test("a template is approved after its review", async () => {
  const { id } = await carteiro.templates.create({
    name: `order_shipped_${Date.now()}`,
    language: "pt_BR",
    category: "utility",
    components: [{ type: "BODY", text: "Seu pedido saiu para entrega." }]
  })
  expect((await carteiro.templates.submit(id)).status).toBe("submitted")
  await timeGoes({ by_seconds: 10 })
  expect((await carteiro.templates.get(id)).status).toBe("approved")
  // A reset leaves templates.
  await carteiro.templates.delete(id)
})

test("a batch begins at the instant it is scheduled for", async () => {
  const batch = await carteiro.batches.create({
    sender: { type: "chatapp_phone_number", id: number },
    template: { name: "welcome", language: "pt_BR" },
    scheduled_at: await inTime(6 * hour),
    recipients: [{ to: aCustomer(), variables: { 1: "Maria" } }]
  })
  await timeGoes({ by_seconds: 6 * hour - minute })
  expect((await carteiro.batches.get(batch.id)).status).toBe("scheduled")
  await timeGoes({ by_seconds: 2 * minute })
  expect((await carteiro.batches.get(batch.id)).status).toBe("completed")
})

test("a payment has its link after a second, and expires unpaid after seven days", async () => {
  const { id } = await carteiro.payments.create({ amount_brl_centavos: 12_550, description: "Two tickets" })
  await timeGoes({ by_seconds: 1 })
  expect((await carteiro.payments.get(id)).status).toBe("link_generated")
  await timeGoes({ by_seconds: 7 * day })
  expect((await carteiro.payments.get(id)).status).toBe("expired")
})

test("a payment that is cancelled has ended a second later", async () => {
  const { id } = await carteiro.payments.create({ amount_brl_centavos: 5_000 })
  await timeGoes({ by_seconds: 1 })
  await carteiro.payments.cancel(id)
  await timeGoes({ by_seconds: 1 })
  expect((await carteiro.payments.get(id)).status).toBe("cancelled")
})

test("a customer's authorization for agents expires after ninety days", async () => {
  const { id } = await carteiro.agentic.authorizations.create({
    bank_id: "sbbank_alpha",
    customer_name: "Ana Souza",
    customer_tax_id: "12345678909",
    max_amount_brl_centavos: 50_000
  })
  await timeGoes({ by_seconds: 1 })
  expect((await carteiro.agentic.authorizations.get(id)).status).toBe("authorized")
  await timeGoes({ by_seconds: 91 * day })
  expect((await carteiro.agentic.authorizations.get(id)).status).toBe("expired")
})

test("a voice message is transcribed in its time", async () => {
  const heard = await carteiro.sandbox.simulateInbound({
    channel: "chatapp",
    from: aCustomer(),
    to: number,
    type: "media",
    media: { kind: "audio", voice: true }
  })
  await timeGoes({ by_seconds: minute })
  const { media } = await carteiro.messages.get(heard.id)
  const asset = media?.asset_id ?? ""
  await carteiro.media.transcriptions.create(asset, { language: "pt-BR" })
  await timeGoes({ by_seconds: minute })
  const [written] = await carteiro.media.transcriptions.list(asset).toArray({ limit: 1 })
  expect(written?.status).toBe("succeeded")
})

test("a group is active after half a second, and deleted in its time", async () => {
  const { id } = await carteiro.groups.create({ phone_number_id: number, subject: "Clube" })
  expect((await carteiro.groups.get(id)).status).toBe("pending")
  await timeGoes({ by_seconds: 1 })
  expect((await carteiro.groups.get(id)).status).toBe("active")
  await carteiro.groups.delete(id)
  await timeGoes({ by_seconds: 1 })
  expect((await carteiro.groups.get(id)).status).toBe("deleted")
})

test("a check of a number's eligibility for groups is done after half a second", async () => {
  await carteiro.groups.eligibility.check({ phone_number_id: number })
  await timeGoes({ by_seconds: 1 })
  expect((await carteiro.groups.eligibility.get({ phone_number_id: number })).checked_at).not.toBeNull()
})

test("a flow is published in its time", async () => {
  const flow = await carteiro.flows.create({
    name: "Agenda",
    flow_json: { version: "7.2", screens: [{ id: "DATE", title: "Quando?" }] }
  })
  await carteiro.flows.publish(flow.id)
  await timeGoes({ by_seconds: minute })
  expect((await carteiro.flows.get(flow.id)).status).toBe("published")
})

test("a session to enter credentials expires after half an hour", async () => {
  const { setupSessions } = carteiro.providerConnections
  const { id } = await setupSessions.create({ target: "pixprov1.payments" })
  await timeGoes({ by_seconds: 29 * minute })
  expect((await setupSessions.get(id)).status).toBe("pending")
  await timeGoes({ by_seconds: 2 * minute })
  expect((await setupSessions.get(id)).status).toBe("expired")
})

test("a message that pacing holds leaves ten seconds later", async () => {
  const { id } = await carteiro.messages.send({
    ...envelope(aCustomer()),
    message: { type: "template", template: { name: "welcome", language: "pt_BR", variables: { 1: "Ana" } } },
    metadata: { sandbox_scenario: "messaging_limit_pacing" }
  })
  await timeGoes({ by_seconds: 5 })
  expect(await carteiro.messages.get(id)).toMatchObject({ status: "queued", status_reason: "messaging_limit_pacing" })
  await timeGoes({ by_seconds: 20 })
  expect(await statusOf(id)).toBe("read")
})

test("a plan is renewed each month", async () => {
  const { paymentMethods, plan } = carteiro.billing
  await paymentMethods.save({ cardproc_payment_method_id: "sbpm_ok", set_default: true })
  await plan.subscribe({ plan_offering_id: "plo_standard", rail: "cardproc_card" })
  const { current_period_end: first } = await plan.get()
  await timeGoes({ to: first ?? "" })
  const renewed = await plan.get()
  expect(renewed.status).toBe("active")
  expect(Date.parse(renewed.current_period_end ?? "")).toBeGreaterThan(Date.parse(first ?? ""))
})

test("a plan ends on the seventh day after its card declined", async () => {
  const { paymentMethods, plan } = carteiro.billing
  await paymentMethods.save({ cardproc_payment_method_id: "sbpm_declined", set_default: true })
  await timeGoes({ to: (await plan.get()).current_period_end ?? "" })
  expect((await plan.get()).status).toBe("past_due")
  await timeGoes({ by_seconds: 7 * day + hour })
  expect((await plan.get()).status).toBe("canceled")
})
