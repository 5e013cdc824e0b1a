import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { quiesce, turnBy } from "../support/OwnerTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const customer = "+5511999998888"
const types = ["message.received", "message.sent", "message.delivered", "message.read"]

let projects = 0

/** A sandbox with two numbers, a subscribed endpoint and a customer who writes to both. */
const stage = Effect.gen(function* () {
  const { acme, get, post } = yield* Api
  const sql = yield* SqlClient.SqlClient
  const { sandbox } = yield* seedProject(acme.organization_id, `content-${++projects}`)
  const { key } = sandbox
  const number = yield* seedNumber(sandbox)
  const other = yield* seedNumber(sandbox)
  const endpoint = { url: "https://hooks.example.com/in", subscribed_events: types }
  assert.strictEqual((yield* post("/v1/webhook-endpoints", endpoint, { key })).status, 201)

  /** The customer writes; returns the message's id. */
  const write = (content: string | object, to = number.id) =>
    Effect.map(
      post(
        "/v1/sandbox/inbound-messages",
        {
          channel: "chatapp",
          from: customer,
          to,
          ...(typeof content === "string" ? { type: "text", text: { body: content } } : content)
        },
        { key }
      ),
      ({ body, status, text }) => {
        assert.strictEqual(status, 202, text)
        return body.id as string
      }
    )
  /** The number replies to the customer; returns the response. */
  const reply = Effect.tap(
    post(
      "/v1/messages",
      {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: number.id },
        recipient: { type: "phone_e164", id: customer },
        message: { type: "text", text: { body: "Olá!" } }
      },
      { key }
    ),
    ({ status, text }) => Effect.sync(() => assert.strictEqual(status, 202, text))
  )
  const suspend = (yes: boolean) =>
    sql`update phone_numbers set suspended_at = ${yes ? new Date(0) : null} where id = ${number.id}`
  const listen = Effect.map(get("/v1/webhook-events/listen?limit=100", { key }), ({ body }) => body.data)
  /** The forwarded events by type and message, equal for listening and for the endpoint. */
  const forwarded = Effect.gen(function* () {
    yield* quiesce
    const heard = yield* listen
    const logged = (yield* get("/v1/webhook-events?limit=100", { key })).body.data
    const of = (events: ReadonlyArray<{ payload: { type: string; data: { message_id: string } } }>) =>
      events.map(({ payload }) => `${payload.type} ${payload.data.message_id}`)
    assert.sameMembers(of(logged), of(heard))
    return of(heard)
  })
  return { key, number, other, write, reply, suspend, listen, forwarded, get, post }
})

it.layer(WholeProduct(), { excludeTestServices: true })("Messages of customers", (it) => {
  it.effect("have their content in the documented members of a listen item A-LSN-16", () =>
    Effect.gen(function* () {
      const { listen, number, write } = yield* stage
      const replies = [
        { type: "button_reply", button_reply: { id: "yes", title: "Sim" } },
        { type: "list_reply", list_reply: { id: "row-1", title: "Um", description: null } }
      ]
      for (const interactive of replies) {
        yield* write({ type: "interactive", interactive, profile_name: "Ana" })
        yield* turnBy(1)
      }
      assert.deepStrictEqual(
        (yield* listen).map(({ payload }: { payload: { data: object } }) => payload.data),
        (yield* listen).map(({ payload }: { payload: { data: object } }, n: number) => ({
          ...payload.data,
          sender: { type: "phone_e164", id: customer, profile_name: "Ana", user_id: null, username: null },
          recipient: { type: "chatapp_phone_number", id: number.id },
          content: { type: "interactive", interactive: replies[n] }
        }))
      )
      assert.lengthOf(yield* listen, 2)
    })
  )

  it.effect("are not forwarded while their number is suspended, then or later A-SIG-20 A-SIG-21 A-LSN-21", () =>
    Effect.gen(function* () {
      const { forwarded, get, key, suspend, write } = yield* stage
      const before = yield* write("antes")
      yield* suspend(true)
      const during = yield* write("durante")
      yield* write({
        type: "interactive",
        interactive: { type: "button_reply", button_reply: { id: "a", title: "A" } }
      })
      assert.deepStrictEqual(yield* forwarded, [`message.received ${before}`])
      const read = yield* get(`/v1/messages/${during}`, { key })
      assert.deepStrictEqual([read.body.status, read.body.payload.text], ["received", { body: "durante" }])
      yield* suspend(false)
      yield* turnBy(1000)
      const after = yield* write("depois")
      assert.deepStrictEqual(yield* forwarded, [`message.received ${before}`, `message.received ${after}`])
    })
  )

  it.effect("do not delay status receipts, opt-outs and other numbers A-SIG-22", () =>
    Effect.gen(function* () {
      const { forwarded, key, number, other, post, reply, suspend, write } = yield* stage
      const opened = yield* write("oi")
      const sent = yield* reply
      yield* turnBy(500)
      yield* suspend(true)
      yield* turnBy(2500)
      const optOut = yield* write("Parar")
      const elsewhere = yield* write("oi", other.id)
      assert.sameMembers(yield* forwarded, [
        `message.received ${opened}`,
        ...types.slice(1).map((type) => `${type} ${sent.body.id}`),
        `message.received ${optOut}`,
        `message.received ${elsewhere}`
      ])
      yield* suspend(false)
      const refused = yield* post(
        "/v1/messages",
        {
          channel: "chatapp",
          sender: { type: "chatapp_phone_number", id: number.id },
          recipient: { type: "phone_e164", id: customer },
          message: { type: "text", text: { body: "Ainda aí?" } }
        },
        { key }
      )
      assert.strictEqual(refused.body.error?.code, "contact_opted_out")
    })
  )

  it.effect("cannot be resent while their number is suspended A-WHV-20 A-WHV-21 A-WHV-22", () =>
    Effect.gen(function* () {
      const { get, key, other, post, reply, suspend, write } = yield* stage
      yield* write("um")
      yield* turnBy(1)
      yield* reply
      yield* turnBy(500)
      yield* turnBy(1)
      yield* write("stop")
      yield* turnBy(1)
      yield* write("dois", other.id)
      yield* quiesce
      const [elsewhere, optOut, receipt, content] = (yield* get("/v1/webhook-events", { key })).body
        .data as ReadonlyArray<{
        readonly id: string
      }>
      const resend = (event: { readonly id: string } | undefined, idempotencyKey?: string) =>
        post(`/v1/webhook-events/${event?.id}/resend`, undefined, { key, ...(idempotencyKey && { idempotencyKey }) })
      const accepted = yield* resend(content, "once")
      assert.strictEqual(accepted.status, 202)
      yield* suspend(true)
      const refused = yield* resend(content)
      assert.deepStrictEqual([refused.status, refused.body.error.code], [403, "phone_service_suspended"])
      assert.strictEqual((yield* resend(content, "once")).text, accepted.text)
      assert.strictEqual((yield* resend(optOut)).status, 202)
      assert.strictEqual((yield* resend(receipt)).status, 202)
      assert.strictEqual((yield* resend(elsewhere)).status, 202)
      const many = yield* post("/v1/webhook-events/bulk-resend", { event_type: "message.received" }, { key })
      assert.deepInclude(many.body, { requested: 3, enqueued: 2, skipped: 1 })
      yield* suspend(false)
      assert.strictEqual((yield* resend(content)).status, 202)
    })
  )
})
