import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { subjectHash } from "@carteiro/owners/Subject.ts"
import { seededTemplateRows } from "@carteiro/runtime/templates/Templates.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Answer, Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import type { TestEnvironment } from "../support/Tenants.ts"
import { until } from "../support/Until.ts"
import type { upstreamStage } from "../support/Upstream.ts"

/** One person, as every room may come to know them. */
const phone = "+5511984321876"
/** The phone of the same person without the ninth digit. */
const spelled = "+551184321876"
/** The platform's id of the person. */
const userId = "BR.84321876"
const name = "Zulmira Quintanilha"
const file = "laudo-zulmira.pdf"
const secret = "segredo-anil"

/** What tells of the person: the number in any spelling, their name, their file, and what was said. */
export const personPattern = /8432[^0-9a-z]{0,2}1876|zulmira|quintanilha|segredo-anil/i

const ok = (answer: Answer): Effect.Effect<Answer> =>
  answer.status < 300 ? Effect.succeed(answer) : Effect.die(new Error(answer.text))

const events = [
  "message.received",
  "message.sent",
  "message.delivered",
  "message.read",
  "message.failed",
  "message.media_transcribed",
  "group.participant_joined",
  "group.participant_removed"
]

type Stage = Effect.Success<typeof upstreamStage>

/** Lets every room meet the person, in the sandbox of acme and in its production behind a simulated platform. */
export const seedPerson = Effect.fnUntraced(function* (stage: Stage) {
  const { acme, post } = yield* Api
  for (const { key } of [acme.sandbox, acme.production]) {
    yield* ok(
      yield* post("/v1/webhook-endpoints", { url: "https://receiver.example/hook", subscribed_events: events }, { key })
    )
  }
  yield* seedSandbox(acme.sandbox)
  yield* seedProduction(stage)
  yield* seedBySql(acme.sandbox)
})

const seedSandbox = Effect.fnUntraced(function* (sandbox: TestEnvironment) {
  const api = yield* Api
  const commit = yield* Commit
  const { id: environment_id, key } = sandbox
  const at = yield* Clock.currentTimeMillis
  const number = yield* seedNumber(sandbox)
  yield* commit.write([...seededTemplateRows(yield* Ids, { environment_id, kind: "sandbox", at })])
  let calls = 0
  const post = (path: string, body: unknown) =>
    Effect.suspend(() => Effect.flatMap(api.post(path, body, { key, idempotencyKey: `call ${++calls}` }), ok))
  const reads = (path: string) => Effect.map(api.get(path, { key }), ({ body }) => body)
  const hear = (content: object, from = phone) =>
    post("/v1/sandbox/inbound-messages", { channel: "chatapp", from, to: number.id, profile_name: name, ...content })
  const send = (message: object, more: object = {}) =>
    post("/v1/messages", {
      channel: "chatapp",
      sender: { type: "chatapp_phone_number", id: number.id },
      recipient: { type: "phone_e164", id: phone },
      message,
      metadata: { about: secret },
      ...more
    })

  yield* hear({ type: "text", text: { body: secret } }, spelled)
  yield* hear({ type: "media", media: { kind: "document", filename: file, caption: secret } })
  yield* hear({ type: "media", media: { kind: "audio" } })
  const flow_json = { version: "7.0", screens: [{ id: "START" }] }
  const flow = (yield* post("/v1/flows", { name: "Pedido", flow_json })).body
  yield* post(`/v1/flows/${flow.id}/publish`, {})
  yield* send({ type: "text", text: { body: secret } })
  yield* send({
    type: "reaction",
    reaction: { message_id: (yield* hear({ type: "text", text: { body: "oi" } })).body.id, emoji: "👍" }
  })
  yield* send({ type: "media", media: { kind: "document", link: "https://files.example/a.pdf", filename: file } })
  const data_base64 = Buffer.from("%PDF-1.4\n%%EOF").toString("base64")
  yield* send({
    type: "media",
    media: { kind: "document", filename: file, inline: { data_base64, mime_type: "application/pdf", filename: file } }
  })
  const source = { type: "tts", provider: "speechprov1", text: secret, voice: "ana", language: "pt-BR" }
  yield* send({ type: "media", media: { kind: "audio", source } })
  const parameters = { flow_id: flow.id, flow_token: secret, flow_cta: "Abrir" }
  yield* send(
    { type: "flow", flow: { body: { text: "Oi" }, action: { name: "flow", parameters } } },
    { metadata: { sandbox_scenario: "flow_completed", sandbox_flow_response: { nome: name } } }
  )
  yield* send({ type: "template", template: { name: "welcome", language: "pt_BR", variables: { "1": name } } })
  yield* send(
    { type: "text", text: { body: secret } },
    { metadata: { sandbox_scenario: "delivery_failure", about: secret } }
  )

  yield* post("/v1/contacts/bulk-import", {
    rows: [{ phone, metadata: { about: secret } }, { phone: "+5511900000001" }]
  })
  yield* post("/v1/contacts/opt-out", { phone, reason: secret })
  yield* post("/v1/contacts/opt-in", { phone: spelled, reason: secret, metadata: { about: secret } })
  yield* post("/v1/batches", {
    sender: { type: "chatapp_phone_number", id: number.id },
    template: { name: "welcome", language: "pt_BR" },
    recipients: [{ to: phone, variables: { "1": name }, metadata: { about: secret } }]
  })
  const group = (yield* post("/v1/groups", { phone_number_id: number.id, subject: "Clube" })).body
  yield* until(Effect.map(reads(`/v1/groups/${group.id}`), ({ status }) => status === "active"))
  yield* post("/v1/contacts/opt-in", { user_id: userId, reason: secret })
  for (const chat_id of [phone, "+55 (11) 8432-1876", userId]) {
    yield* ok(yield* api.post(`/v1/sandbox/groups/${group.id}/participants`, { action: "join", chat_id }, { key }))
  }
  yield* post(`/v1/groups/${group.id}/invite-link/reset`, {})
  const person = { customer_name: name, customer_tax_id: "12345678909", customer_phone: phone }
  yield* ok(yield* api.post("/v1/payments", { amount_brl_centavos: 12_550, ...person }, { key }))

  const heardAudio = reads("/v1/media?source=inbound_provider&kind=audio")
  yield* until(Effect.map(heardAudio, ({ data }) => data[0]?.status === "consumed"))
  const asset_id = (yield* heardAudio).data[0].id
  yield* post(`/v1/media/${asset_id}/transcriptions`, {})
  const path = `/v1/media/${asset_id}/transcriptions`
  yield* until(Effect.map(reads(path), ({ data }) => data[0].status === "succeeded"))
  const settled = (status: string) => ["read", "failed", "sent", "received", "cancelled"].includes(status)
  yield* until(
    Effect.map(reads("/v1/messages?limit=100"), ({ data }) =>
      data.every(({ status }: { status: string }) => settled(status))
    )
  )
})

const seedProduction = Effect.fnUntraced(function* (stage: Stage) {
  const { api, control, faults, hear, key, number, reaches, send, sql, tell } = stage
  yield* hear(phone, { profile_name: name, text: { body: secret } })
  yield* hear(phone, {
    profile_name: name,
    type: "document",
    document: { filename: file, mime_type: "application/pdf" }
  })
  const text = { type: "text", text: { body: secret } }
  const delivered = (yield* send(text, phone)).body.id
  yield* reaches(delivered, "read")
  for (const fault of ["refuse_naming", "fail_naming"]) {
    yield* faults({ name: fault, times: 1 })
    const { id } = (yield* send(text, phone)).body
    yield* reaches(id, "failed")
  }
  const { body } = yield* api.post("/v1/groups", { phone_number_id: number.id, subject: "Clube" }, { key })
  const read = Effect.map(api.get(`/v1/groups/${body.id}`, { key }), (answer) => answer.body)
  yield* until(Effect.map(read, ({ status }) => status === "active"))
  const group_id = (yield* read).provider_group_id
  for (const wa_id of [phone.slice(1), spelled.slice(1)]) {
    yield* control("/participants", { group_id, action: "join", wa_id })
  }
  yield* until(Effect.map(read, ({ participant_count }) => participant_count === 2))
  yield* control("/preferences", { from: phone, value: "stop" })
  // A status of a message that nobody knows: its work ends late.
  const status = {
    id: "mid.unknown",
    status: "read",
    timestamp: "1767225600",
    recipient_id: phone.slice(1),
    recipient_user_id: userId
  }
  yield* ok(yield* tell({ ...unknownStatus(status) }))
  const looked = sql`select 1 from vendor_webhook_work where attempts >= 2`
  yield* until(Effect.map(looked, (rows) => rows.length > 0))
  yield* Effect.orDie(sql`update vendor_webhook_work set due_at = null`)
})

/** A report of the platform about the tests' number. */
const unknownStatus = (status: object) => ({
  object: "chatapp_business_account",
  entry: [
    {
      id: "2001",
      changes: [
        {
          field: "messages",
          value: {
            messaging_product: "chatapp",
            metadata: { display_phone_number: "1", phone_number_id: "1001" },
            statuses: [status]
          }
        }
      ]
    }
  ]
})

/** What takes marketing, receivers that repeat what they get, and hours. */
const seedBySql = Effect.fnUntraced(function* ({ id }: TestEnvironment) {
  const sql = yield* SqlClient.SqlClient
  const [message] = yield* sql<{
    readonly business_id: string
    readonly id: string
  }>`select business_id, id from messages
    where environment_id = ${id} and customer_key = ${phone.slice(1)} and direction = 'outbound' limit 1`
  const { business_id = "", id: message_id = "" } = message ?? {}
  const key = phone.slice(1)
  yield* sql`insert into marketing_claims (environment_id, customer_key, content_hash, business_id, message_id, claimed_at)
    values (${id}, ${key}, 'hash', ${business_id}, ${message_id}, now())`
  yield* sql`insert into marketing_attempts (environment_id, business_id, customer_key, latest_message_id, latest_at)
    values (${id}, ${business_id}, ${key}, ${message_id}, now())`
  yield* sql`insert into allowance_slots (environment_id, business_id, customer_key, expires_at, uses)
    values (${id}, ${business_id}, ${key}, now() + interval '1 day', 1)`
  yield* sql`insert into customer_joins (environment_id, from_key, to_key, phone, joined_at, due_at)
    values (${id}, ${userId}, ${key}, ${phone}, now(), now() + interval '1 day')`
  yield* sql`update webhook_attempts set response_body_redacted = ${secret}`
  // As the sweep does once an event leaves the outbox.
  yield* sql`update webhook_events w set payload = o.envelope from outbox_events o
    where o.environment_id = w.environment_id and o.id = w.event_id`
  yield* sql`update media_transcriptions set text = ${secret}`
  yield* seedFormerRequest(id)
  // The platform was away for longer than anything is looked back at.
  yield* sql`update vendor_webhooks set received_at = received_at - interval '4 hours'`
}, Effect.orDie)

/** A request as a node of the release before logs it: a row of its own. */
const seedFormerRequest = Effect.fnUntraced(function* (environmentId: string) {
  const sql = yield* SqlClient.SqlClient
  const secrets = yield* Secrets
  const at = yield* Clock.currentTimeMillis
  const request = (yield* Ids).mint("req", at)
  const body = { masked: false, path: "/v1/messages", query: null, idempotency_key: null, request_body: { phone } }
  const details = secrets.seal(
    "request_log",
    JSON.stringify({ ...body, response_body: null }),
    `${environmentId}/${request}`
  )
  const subject = subjectHash(secrets, environmentId, { type: "phone_e164", key: phone.slice(1) })
  yield* sql`insert into request_logs (environment_id, id, production, api_key_id, method, route, status, duration_ms,
      source_address, replayed, trace_id, created_at, details, subjects)
    values (${environmentId}, ${request}, false, 'key_1', 'POST', '/v1/messages', 202, 1, '127.0.0.1', false,
      ${"1".repeat(32)}, ${new Date(at)}, ${details}, array[${subject}])`
})

/** Everything that reads of an environment show, as one text. */
export const shownOf = Effect.fnUntraced(function* ({ key, kind }: TestEnvironment) {
  const { get } = yield* Api
  const lists = ["messages", "contacts", "groups", "batches", "media", "webhook-events"]
  const shown: Array<string> = []
  for (const list of lists) {
    const page = yield* get(`/v1/${list}?limit=100`, { key })
    const data = (page.body.data as ReadonlyArray<Answer["body"]>).filter(isNotOfPayments)
    shown.push(JSON.stringify(data))
    for (const { id } of data) {
      shown.push((yield* get(`/v1/${list}/${id}${list === "messages" ? "?include=payload" : ""}`, { key })).text)
      if (list === "media") shown.push((yield* get(`/v1/media/${id}/transcriptions`, { key })).text)
      if (list === "batches") {
        for (const part of ["recipients", "failures", "failures/export"])
          shown.push((yield* get(`/v1/batches/${id}/${part}`, { key })).text)
      }
    }
  }
  // Production listens by a session; what it would hear is among the rows.
  if (kind === "production") return shown.join("\n")
  const heard = yield* get("/v1/webhook-events/listen?start_at=oldest&limit=100", { key })
  return [...shown, JSON.stringify(heard.body.data.filter(isNotOfPayments))].join("\n")
})

/** Events of payments follow the retention of events. gaps-3 C "Personal data in payments" */
const isNotOfPayments = ({ payload, type }: Answer["body"]): boolean =>
  !String(type ?? payload?.type).startsWith("payment.")
