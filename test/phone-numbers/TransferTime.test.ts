import { readRateLimits } from "@carteiro/runtime/ratelimit/RateLimitsSetting.ts"
import { rateOf } from "@carteiro/runtime/ratelimit/RateTable.ts"
import { dayMs, hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { seedProject, type TestProject } from "../support/Tenants.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { enroll } from "./Numbers.ts"

const ahead = (400 * dayMs) / 1000
const [ana, bia] = ["+5511912345678", "+5511912345679"]
let projects = 0

/** A project, and the calls of its sandbox's key. */
const place = Effect.gen(function* () {
  const api = yield* Api
  const project = yield* seedProject(api.acme.organization_id, `moves-${++projects}`)
  const { key } = project.sandbox
  const get = (path: string) => api.get(`/v1/${path}`, { key })
  const post = (path: string, body?: object) => api.post(`/v1/${path}`, body, { key })
  const advance = Effect.fnUntraced(function* (by_seconds: number) {
    const begun = yield* post("sandbox/clock/advance", { by_seconds })
    assert.strictEqual(begun.status, 202, begun.text)
    const read = Effect.map(get(`sandbox/clock/advances/${begun.body.id}`), ({ body }) => body)
    yield* until(Effect.map(read, ({ status }) => status !== "running"))
    const { error, status } = yield* read
    assert.deepStrictEqual([status, error], ["settled", null])
  })
  const hear = (number: string, from = ana) =>
    post("sandbox/inbound-messages", { channel: "chatapp", from, to: number, type: "text", text: { body: "oi" } })
  const send = (number: string, to = ana) =>
    post("messages", {
      channel: "chatapp",
      sender: { type: "chatapp_phone_number", id: number },
      recipient: { type: "phone_e164", id: to },
      message: { type: "text", text: { body: "Olá" } }
    })
  const transfer = Effect.fnUntraced(function* (number: string, to: TestProject) {
    const moved = yield* post(`phone-numbers/${number}/transfer`, {
      target_project_id: to.id,
      target_environment_id: to.sandbox.id,
      confirm_phone_number_id: number
    })
    assert.strictEqual(moved.status, 200, moved.text)
    return moved
  })
  return { ...project, advance, get, hear, post, send, transfer }
})

const instantsIn = (text: string): ReadonlyArray<number> =>
  (text.match(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu) ?? []).map((instant) => Date.parse(instant))

const assertReal = (text: string) => {
  const instants = instantsIn(text)
  assert.isAbove(instants.length, 0, text)
  for (const instant of instants) assert.isBelow(Math.abs(instant - Date.now()), dayMs, text)
}

const rates = {
  ...Result.getOrThrow(readRateLimits("off")),
  "phone_number.sandbox": { number: rateOf(2, 10, "second") }
}

it.layer(WholeProduct({ clock: "live", rates }), { excludeTestServices: true })(
  "A number that changes its time",
  (it) => {
    it.effect('brings nothing of the turned time that it comes from gaps-1 "Sandbox clock"', () =>
      Effect.gen(function* () {
        const from = yield* place
        const to = yield* place
        yield* from.advance(ahead)
        const connecting = {
          phone: "+5511987650001",
          upstream_phone_number_id: "106540352240001",
          display_name: "Loja"
        }
        const connected = yield* from.post("phone-numbers/connect", connecting)
        assert.strictEqual(connected.status, 201, connected.text)
        const { id } = connected.body
        yield* from.hear(id)
        yield* from.send(id)
        yield* from.advance(60)
        const sql = yield* SqlClient.SqlClient
        yield* sql`insert into allowance_slots (environment_id, business_id, customer_key, expires_at, uses)
        values (${from.sandbox.id}, ${id}, '5511912345678', ${new Date(Date.now() + 400 * dayMs + 20 * hourMs)}, 1)`
        assertReal((yield* from.transfer(id, to)).text)
        const shown = yield* to.get(`phone-numbers/${id}`)
        assertReal(shown.text)
        assert.strictEqual(shown.body.current_24h_unique_recipients, 1)
        const later = new Date(Date.now() + dayMs)
        for (const column of ["created_at", "updated_at", "activated_at", "moved_at", "upstream_health_synced_at"]) {
          const rows = yield* sql`select 1 from phone_numbers where id = ${id} and ${sql(column)} > ${later}`
          assert.deepStrictEqual(rows, [], column)
        }
        const slots = yield* sql`select 1 from allowance_slots
        where environment_id = ${to.sandbox.id} and business_id = ${id} and expires_at < ${later}`
        assert.strictEqual(slots.length, 1)
        // Its bucket fills from now on: it does not wait until the time there is reached here.
        assert.strictEqual((yield* to.hear(id)).status, 202)
        for (let sent = 0; sent < 4; sent++) {
          const answer = yield* to.send(id)
          if (answer.status !== 202) assert.isAtMost(answer.body.error.retry_after_ms, 1000, answer.text)
        }
      })
    )

    it.effect('takes the management of an imported number along, which goes on gaps-2 K "Transfer fields"', () =>
      Effect.gen(function* () {
        const from = yield* place
        const to = yield* place
        yield* from.advance(ahead)
        const number = yield* seedNumber(from.sandbox)
        const sql = yield* SqlClient.SqlClient
        yield* enroll(number)
        yield* sql`update numprov_enrollments set enrolled_at = ${new Date(Date.now() + 400 * dayMs)}
          where phone_number_id = ${number.id}`
        // Nobody has read its health yet.
        yield* sql`update phone_numbers set upstream_health_synced_at = null where id = ${number.id}`
        const moved = yield* from.transfer(number.id, to)
        assertReal(moved.text)
        const { body } = yield* to.get(`phone-numbers/${number.id}`)
        assert.deepStrictEqual({ ...body, trace_id: "" }, { ...moved.body, trace_id: "" })
        assert.deepInclude(body.numprov_management, { status: "active", ended_at: null })
        assert.isNull(body.upstream_health_synced_at)
      })
    )

    it.effect("leaves its messages at the time of their own sandbox, whichever of the two is ahead M-TRF-06", () =>
      Effect.gen(function* () {
        for (const turnsSource of [true, false]) {
          const from = yield* place
          const to = yield* place
          const { id } = yield* seedNumber(from.sandbox)
          if (turnsSource) yield* from.advance(ahead)
          else yield* to.advance(ahead)
          yield* from.post("sandbox/clock/freeze")
          yield* from.advance(1)
          yield* from.hear(id)
          const sent = yield* from.send(id)
          assert.strictEqual(sent.status, 202, sent.text)
          yield* from.advance(1)
          const read = from.get(`messages/${sent.body.id}`)
          assert.strictEqual((yield* read).body.status, "sent")
          yield* from.transfer(id, to)
          yield* from.advance(30)
          const message = yield* read
          assert.strictEqual(message.body.status, "read", message.text)
          const now = Date.parse((yield* from.get("sandbox/clock")).body.now)
          for (const instant of instantsIn(message.text)) assert.isAtMost(now - instant, 60_000, message.text)
          for (const instant of instantsIn(message.text)) assert.isAtMost(instant, now, message.text)
        }
      })
    )

    it.effect("opens no window by what customers wrote to it elsewhere M-TRF-01", () =>
      Effect.gen(function* () {
        const from = yield* place
        const to = yield* place
        const { id } = yield* seedNumber(from.sandbox)
        for (const customer of [ana, bia]) assert.strictEqual((yield* from.hear(id, customer)).status, 202)
        yield* from.transfer(id, to)
        for (const customer of [ana, bia]) {
          const refused = yield* to.send(id, customer)
          assert.strictEqual(refused.body.error?.code, "service_window_required", refused.text)
        }
      })
    )
  }
)
