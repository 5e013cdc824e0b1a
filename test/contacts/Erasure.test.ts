import { erasureJob } from "@carteiro/runtime/contacts/erasure/ErasureJob.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Answer, Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { quiesce, turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { endpointRow, outgoing, receiver, register, turnThrough } from "../webhooks/Deliveries.ts"

const minute = 60_000
const phone = "+5511987654321"
/** The same customer without the ninth digit. */
const spelled = "+551187654321"
const stranger = "+5511976543210"

/** An environment with a number, a customer who has written and a stranger who has, and calls in its name. */
const stage = Effect.fnUntraced(function* (name: string) {
  const api = yield* Api
  const { sandbox } = yield* seedTenant(name)
  const { key } = sandbox
  const number = yield* seedNumber(sandbox)
  const post = (path: string, body: unknown, idempotencyKey?: string) =>
    api.post(path, body, { key, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) })
  const get = (path: string) => Effect.map(api.get(path, { key }), ({ body }) => body)
  const hear = (from: string, body = "secreto", idempotencyKey?: string) =>
    post(
      "/v1/sandbox/inbound-messages",
      {
        channel: "chatapp",
        from,
        to: number.id,
        type: "text",
        text: { body },
        referral: { body, click_id: body },
        profile_name: "Maria Secreta",
        metadata: { about: "secreto" }
      },
      idempotencyKey
    )
  const send = (to: string, metadata: object = { about: "secreto" }, idempotencyKey?: string) =>
    post(
      "/v1/messages",
      {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: number.id },
        recipient: { type: "phone_e164", id: to },
        message: { type: "text", text: { body: "secreto" } },
        metadata
      },
      idempotencyKey
    )
  const contactOf = (to: string) =>
    Effect.map(get(`/v1/contacts?phone=${encodeURIComponent(to)}`), ({ data }) => data[0])
  const erase = (id: string) => api.delete(`/v1/contacts/${id}`, { key })
  return { sandbox, number, post, get, hear, send, contactOf, erase }
})

/** How many rows of each table tell of somebody, by what they would tell. */
const tellingRows = Effect.fnUntraced(function* (...words: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<{ readonly name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`
  const telling: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = yield* sql<{ readonly count: number }>`select count(*)::int4 as count from ${sql(name)} t
      where t::text ~* ${words.join("|")}`
    if (row !== undefined && row.count > 0) telling[name] = row.count
  }
  return telling
})

const refusal = ({ body, status }: Answer) => [status, body.error?.code]

it.layer(WholeProduct({ sweeps: false, outgoing }), { excludeTestServices: true })("Erasure", (it) => {
  it.effect('reaches everything that tells of the customer, and nothing else gaps-2 I "Erasure" M-EVT-03', () =>
    Effect.gen(function* () {
      const { contactOf, erase, get, hear, post, sandbox, send } = yield* stage("erased")
      const well = yield* receiver(() => 200)
      const ill = yield* receiver(() => 500)
      const types = ["message.received", "message.sent", "message.delivered", "message.read"] as const
      const good = yield* register(sandbox, well.url, types)
      const bad = yield* register(sandbox, ill.url, types)

      const heard = yield* hear(phone, "secreto", "in")
      const strangers = yield* hear(stranger, "publico")
      const sent = yield* send(phone, { about: "secreto" }, "out")
      yield* turnBy(4000)
      const held = yield* send(spelled, { sandbox_scenario: "messaging_limit_pacing" })
      const imported = yield* post(
        "/v1/contacts/bulk-import",
        { rows: [{ phone, metadata: { about: "secreto" } }, { phone: stranger }] },
        "import"
      )
      const optedOut = yield* post("/v1/contacts/opt-out", { phone, reason: "secreto" }, "stop")
      assert.deepStrictEqual(
        [heard, strangers, sent, held, imported, optedOut].map(({ status }) => status),
        [202, 202, 202, 202, 200, 200]
      )
      const contact = yield* contactOf(phone)
      const failuresBefore = (yield* endpointRow(bad.id))?.failures
      const postedBefore = ill.received.length
      assert.isAbove(postedBefore, 3)

      // At once: hidden, what was queued is cancelled, the opt-out stands.
      const answer = yield* erase(contact.id)
      assert.deepStrictEqual(
        [answer.status, { ...answer.body, trace_id: "" }],
        [200, { id: contact.id, object: "contact", deleted: true, trace_id: "" }]
      )
      assert.deepStrictEqual(refusal(yield* erase(contact.id)), [404, "contact_not_found"])
      assert.strictEqual((yield* get(`/v1/contacts/${contact.id}`)).error.code, "contact_not_found")
      assert.isUndefined(yield* contactOf(phone))
      const cancelled = yield* get(`/v1/messages/${held.body.id}`)
      assert.deepStrictEqual(
        [cancelled.status, cancelled.status_reason, cancelled.events.at(-1).type],
        ["cancelled", null, "message.cancelled"]
      )
      assert.deepStrictEqual(refusal(yield* send(spelled)), [400, "contact_opted_out"])

      // Within the hour: everything else.
      yield* erasureJob.run
      for (const { body } of [heard, sent, held]) {
        const read = yield* get(`/v1/messages/${body.id}`)
        assert.deepStrictEqual(
          [read.id, read.metadata, read.payload, read.sender.profile_name],
          [body.id, null, null, null]
        )
        assert.isString(read.redacted_at)
        assert.isFalse(JSON.stringify(read).includes("987654321"))
      }
      assert.strictEqual((yield* get(`/v1/messages/${sent.body.id}`)).status, "read")
      assert.strictEqual((yield* get(`/v1/messages/${heard.body.id}`)).status, "received")

      const log = (yield* get("/v1/webhook-events?limit=100")).data as ReadonlyArray<{
        readonly id: string
        readonly endpoint_id: string
        readonly source_id: string
        readonly status: string
        readonly payload: { readonly data: unknown } | null
        readonly attempts: ReadonlyArray<{
          readonly status: string
          readonly response_body_redacted: unknown
          readonly error_message: string | null
        }>
      }>
      const about = log.filter(({ source_id }) => source_id !== strangers.body.id)
      assert.strictEqual(about.length, 8)
      for (const { attempts, endpoint_id, payload, status } of about) {
        assert.deepStrictEqual([payload, status], [null, endpoint_id === good.id ? "delivered" : "failed"])
        assert.isTrue(attempts.every((attempt) => attempt.response_body_redacted === null))
        if (endpoint_id === bad.id) assert.strictEqual(attempts.at(-1)?.error_message, "payload_unavailable")
      }
      const others = log.filter(({ source_id }) => source_id === strangers.body.id)
      assert.deepStrictEqual(others.map(({ status }) => status).sort(), ["delivered", "pending"])
      assert.isTrue(others.every(({ payload }) => payload !== null))
      assert.deepStrictEqual(
        (yield* post(`/v1/webhook-events/${about[0]?.id}/resend`, undefined)).body.error.code,
        "webhook_event_payload_unavailable"
      )
      const listened = yield* get("/v1/webhook-events/listen?start_at=oldest")
      assert.deepStrictEqual(
        listened.data.map((event: { readonly payload: { readonly data: { readonly message_id: string } } }) =>
          JSON.stringify(event).includes(strangers.body.id)
        ),
        [true]
      )

      // What was waiting for the receiver goes to it no more, and does not count against it.
      assert.strictEqual((yield* endpointRow(bad.id))?.failures, failuresBefore)
      yield* turnThrough(20 * minute)
      const later = ill.received.slice(postedBefore).map(({ rawBody }) => rawBody.toString())
      assert.isAbove(later.length, 0)
      assert.isTrue(later.every((body) => body.includes(strangers.body.id)))
    }).pipe(Effect.scoped)
  )

  it.effect('leaves repeated answers as they were, but for what told of the customer gaps-2 I "Erasure"', () =>
    Effect.gen(function* () {
      const { contactOf, erase, hear, post, send } = yield* stage("replayed")
      const rows = [{ phone, metadata: { about: "secreto" } }, { phone: stranger }]
      const calls = {
        heard: hear(phone, "secreto", "in"),
        sent: send(phone, {}, "out"),
        imported: post("/v1/contacts/bulk-import", { rows }, "import"),
        optedIn: post("/v1/contacts/opt-in", { phone, metadata: { about: "secreto" } }, "start")
      }
      const first = yield* Effect.all(calls)
      const cancel = post(`/v1/messages/${first.sent.body.id}/cancel`, {}, "cancel")
      const cancelled = yield* cancel
      assert.strictEqual(cancelled.status, 200)
      const { id } = yield* contactOf(phone)
      yield* erase(id)
      yield* erasureJob.run
      const again = yield* Effect.all(calls)
      assert.strictEqual(again.sent.text, first.sent.text)
      assert.deepStrictEqual(again.heard.body, {
        ...first.heard.body,
        sender: { ...first.heard.body.sender, id: null, profile_name: null, user_id: null, username: null },
        payload: null
      })
      const { body } = yield* cancel
      assert.deepStrictEqual([body.recipient.id, body.payload, body.metadata], [null, null, null])
      assert.deepStrictEqual([body.id, body.status], [cancelled.body.id, "cancelled"])
      const blank = { phone: null, user_id: null, username: null, profile_name: null, metadata: null }
      assert.deepStrictEqual(again.optedIn.body, { ...first.optedIn.body, ...blank })
      const [mine, other] = first.imported.body.data
      assert.deepStrictEqual(again.imported.body, { ...first.imported.body, data: [{ ...mine, ...blank }, other] })
      assert.deepStrictEqual(
        Object.values(again).map(({ status }) => status),
        Object.values(first).map(({ status }) => status)
      )
    })
  )

  it.effect('leaves no row behind that tells of the customer, and no trace but keyed hashes gaps-2 I "Erasure"', () =>
    Effect.gen(function* () {
      const { contactOf, erase, hear, post, send } = yield* stage("traces")
      const words = ["933334444", "Maria Secreta Quinta"]
      const number = "+5511933334444"
      yield* hear(number, "Maria Secreta Quinta")
      yield* send(number, { about: "Maria Secreta Quinta" })
      yield* turnBy(4000)
      yield* post("/v1/contacts/opt-out", { phone: number, reason: "Maria Secreta Quinta" })
      assert.containsAllKeys(yield* tellingRows(...words), [
        "contacts",
        "consent_events",
        "messages",
        "outbox_events",
        "service_windows"
      ])
      yield* erase((yield* contactOf(number)).id)
      yield* erasureJob.run
      // The erasure itself knows the customer until its last pass.
      assert.deepStrictEqual(yield* tellingRows(...words), { contact_erasures: 1 })
      yield* turnBy(15 * minute)
      yield* erasureJob.run
      assert.deepStrictEqual(yield* tellingRows(...words), {})
    })
  )

  it.effect('leaves nothing of files, spoken texts and flows behind either gaps-2 I "Erasure"', () =>
    Effect.gen(function* () {
      const { contactOf, erase, number, post } = yield* stage("files")
      const customer = "+5511944445555"
      const words = ["944445555", "Joana Secreta", "conta secreta"]
      const heard = { channel: "chatapp", from: customer, to: number.id, profile_name: "Joana Secreta" }
      yield* post("/v1/sandbox/inbound-messages", { ...heard, type: "media", media: { kind: "audio" } })
      const flow_json = { version: "7.0", screens: [{ id: "START" }] }
      const flow = (yield* post("/v1/flows", { name: "Pedido", flow_json })).body
      yield* post(`/v1/flows/${flow.id}/publish`, {})
      const send = (message: object) =>
        post("/v1/messages", {
          channel: "chatapp",
          sender: { type: "chatapp_phone_number", id: number.id },
          recipient: { type: "phone_e164", id: customer },
          message
        })
      const source = { type: "tts", provider: "speechprov1", text: "A conta secreta.", voice: "ana", language: "pt-BR" }
      const spoken = yield* send({ type: "media", media: { kind: "audio", source } })
      const parameters = { flow_id: flow.id, flow_token: "conta secreta", flow_cta: "Abrir" }
      const asked = yield* send({ type: "flow", flow: { body: { text: "Oi" }, action: { name: "flow", parameters } } })
      assert.deepStrictEqual([spoken.status, asked.status], [202, 202])
      yield* turnBy(4000)
      yield* erase((yield* contactOf(customer)).id)
      yield* erasureJob.run
      yield* turnBy(15 * minute)
      yield* erasureJob.run
      assert.deepStrictEqual(yield* tellingRows(...words), {})
    })
  )

  it.effect(
    'keeps an opt-out in force until the customer chooses again gaps-2 I "Erasure" gaps-2 C "Default consent"',
    () =>
      Effect.gen(function* () {
        const { contactOf, erase, hear, post, send } = yield* stage("stands")
        yield* hear(phone)
        yield* post("/v1/contacts/opt-out", { phone, source: "support" })
        const first = yield* contactOf(phone)
        yield* erase(first.id)
        yield* turnBy(15 * minute)
        yield* erasureJob.run
        assert.deepStrictEqual(refusal(yield* send(spelled)), [400, "contact_opted_out"])
        // Others are not held up by it.
        yield* hear(stranger)
        assert.strictEqual((yield* send(stranger)).status, 202)
        assert.strictEqual((yield* send(stranger)).status, 202)

        // Whoever writes again is another contact, opted out as before.
        yield* hear(phone, "oi de novo")
        yield* quiesce
        const second = yield* contactOf(phone)
        assert.notStrictEqual(second.id, first.id)
        assert.deepStrictEqual(
          [second.opt_in_status, second.source, second.opted_out_at],
          ["opted_out", "support", first.opted_out_at]
        )
        assert.deepStrictEqual(refusal(yield* send(phone)), [400, "contact_opted_out"])
        yield* hear(phone, "Voltar")
        assert.strictEqual((yield* contactOf(phone)).opt_in_status, "opted_in")
        assert.strictEqual((yield* send(phone)).status, 202)
        assert.deepStrictEqual(yield* tellingRowsOf("contact_suppressions", "stands"), 0)
      })
  )

  it.effect('erases what was there, not what the customer does afterwards gaps-2 I "Erasure"', () =>
    Effect.gen(function* () {
      const { contactOf, erase, get, hear, send } = yield* stage("after")
      const before = yield* hear(phone, "antes")
      yield* erase((yield* contactOf(phone)).id)
      yield* turnBy(1000)
      const after = yield* hear(phone, "depois")
      const answered = yield* send(phone)
      assert.strictEqual(answered.status, 202)
      yield* turnBy(4000)
      yield* erasureJob.run
      assert.isString((yield* get(`/v1/messages/${before.body.id}`)).redacted_at)
      for (const { body } of [after, answered]) {
        const read = yield* get(`/v1/messages/${body.id}`)
        assert.deepStrictEqual([read.redacted_at, read.metadata], [null, { about: "secreto" }])
      }
      assert.strictEqual((yield* get("/v1/webhook-events/listen?start_at=oldest")).data.length, 4)
      // Without an opt-out a new contact starts without a choice.
      assert.strictEqual((yield* contactOf(phone)).opt_in_status, "none")
    })
  )
})

/** Rows of a table in the sandbox of a tenant of that name. */
const tellingRowsOf = Effect.fnUntraced(function* (table: string, tenant: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select 1 from ${sql(table)} t join environments e on e.id = t.environment_id
    join organizations o on o.id = e.organization_id where o.name = ${tenant}`
  return rows.length
})
