import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedNumber, type TestNumber } from "../support/Numbers.ts"
import { quiesce, turnBy } from "../support/OwnerTest.ts"
import { seedProject, type TestEnvironment, type TestProject } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const customer = "+5511912345678"

/** Two projects of one organization, a number in the sandbox of the first, and the calls of its keys. */
const stage = Effect.gen(function* () {
  const api = yield* Api
  const { acme, other } = api
  const from = yield* seedProject(acme.organization_id, `from${++stages}`)
  const to = yield* seedProject(acme.organization_id, `to${stages}`)
  const number = yield* seedNumber(from.sandbox)
  return { api, acme, other, from, to, number }
})
let stages = 0

const bodyOf = (number: TestNumber, to: TestProject, environment: TestEnvironment = to.sandbox) => ({
  target_project_id: to.id,
  target_environment_id: environment.id,
  confirm_phone_number_id: number.id
})

const transfer = (number: TestNumber, body: object, { key }: TestEnvironment, idempotencyKey?: string) =>
  Effect.flatMap(Api, (api) =>
    api.post(`/v1/phone-numbers/${number.id}/transfer`, body, {
      key,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey })
    })
  )

const hear = (number: TestNumber, { key }: TestEnvironment, from = customer) =>
  Effect.flatMap(Api, (api) =>
    api.post(
      "/v1/sandbox/inbound-messages",
      { channel: "chatapp", from, to: number.id, type: "text", text: { body: "oi" } },
      { key }
    )
  )

const send = (number: TestNumber, { key }: TestEnvironment, to = customer, metadata: object = {}) =>
  Effect.flatMap(Api, (api) =>
    api.post(
      "/v1/messages",
      {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: number.id },
        recipient: { type: "phone_e164", id: to },
        message: { type: "text", text: { body: "Olá" } },
        metadata
      },
      { key }
    )
  )

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Moving a number", (it) => {
  it.effect("keeps its id and puts it in the target; earlier messages stay where they were M-TRF-01", () =>
    Effect.gen(function* () {
      const { api, from, number, to } = yield* stage
      yield* hear(number, from.sandbox)
      const before = yield* send(number, from.sandbox)
      yield* turnBy(4000)
      const body = { ...bodyOf(number, to), reason: "One project for all shops." }
      const moved = yield* transfer(number, body, from.sandbox, "move")
      assert.strictEqual(moved.status, 200)
      assert.deepStrictEqual(
        [moved.body.id, moved.body.object, moved.body.status],
        [number.id, "phone_number", "active"]
      )
      assert.deepStrictEqual(moved.body.recent_messages, [])
      assert.strictEqual((yield* transfer(number, body, from.sandbox, "move")).text, moved.text)
      const read = (environment: TestEnvironment) =>
        Effect.map(api.get(`/v1/phone-numbers/${number.id}`, { key: environment.key }), ({ status }) => status)
      assert.deepStrictEqual([yield* read(from.sandbox), yield* read(to.sandbox)], [404, 200])
      const message = (environment: TestEnvironment) =>
        Effect.map(api.get(`/v1/messages/${before.body.id}`, { key: environment.key }), ({ status }) => status)
      assert.deepStrictEqual([yield* message(from.sandbox), yield* message(to.sandbox)], [200, 404])
      const cancelled = yield* api.post(`/v1/messages/${before.body.id}/cancel`, {}, { key: from.sandbox.key })
      assert.deepStrictEqual([cancelled.status, cancelled.body.error.code], [409, "message_not_cancellable"])
      // The number sends and receives only for its new environment.
      assert.strictEqual((yield* send(number, from.sandbox)).body.error.code, "phone_number_not_found")
      assert.strictEqual((yield* hear(number, from.sandbox)).body.error.code, "phone_number_not_found")
      assert.strictEqual((yield* send(number, to.sandbox)).body.error.code, "service_window_required")
      assert.strictEqual((yield* hear(number, to.sandbox)).status, 202)
      assert.strictEqual((yield* send(number, to.sandbox)).status, 202)
    })
  )

  it.effect(
    "is refused in the printed order, body first, with one code for each check M-TRF-02..05 M-TRF-07 M-TRF-08",
    () =>
      Effect.gen(function* () {
        const { acme, from, number, other, to } = yield* stage
        const good = bodyOf(number, to)
        const cases: ReadonlyArray<readonly [object, number, string, string | undefined]> = [
          [{ ...good, target_project_id: undefined }, 400, "invalid_transfer_request", "target_project_id"],
          [{ ...good, target_project_id: "" }, 400, "invalid_transfer_request", "target_project_id"],
          [{ ...good, target_environment_id: "" }, 400, "invalid_transfer_request", "target_environment_id"],
          [{ ...good, confirm_phone_number_id: "" }, 400, "invalid_transfer_request", "confirm_phone_number_id"],
          [{ ...good, reason: "x".repeat(501) }, 400, "invalid_transfer_request", "reason"],
          [{ ...good, reason: "" }, 400, "invalid_transfer_request", "reason"],
          [{ ...good, force: true }, 400, "invalid_transfer_request", "force"],
          [
            { ...good, confirm_phone_number_id: "pn_other" },
            400,
            "phone_number_confirmation_mismatch",
            "confirm_phone_number_id"
          ],
          [{ ...good, target_environment_id: other.sandbox.id }, 404, "target_environment_not_found", undefined],
          [
            { ...good, target_project_id: other.project.id, target_environment_id: other.sandbox.id },
            404,
            "target_environment_not_found",
            undefined
          ],
          [{ ...good, target_project_id: acme.project.id }, 404, "target_environment_not_found", undefined],
          [{ ...good, target_environment_id: "nowhere" }, 404, "target_environment_not_found", undefined],
          [
            { ...good, target_project_id: from.id, target_environment_id: from.sandbox.id },
            400,
            "phone_number_transfer_same_environment",
            "target_environment_id"
          ],
          [
            { ...good, target_environment_id: to.production.id },
            400,
            "phone_number_transfer_environment_kind_mismatch",
            "target_environment_id"
          ]
        ]
        for (const [body, status, code, param] of cases) {
          const answer = yield* transfer(number, body, from.sandbox)
          assert.deepStrictEqual(
            [answer.status, answer.body.error?.code, answer.body.error?.param],
            [status, code, param]
          )
        }
        const foreign = yield* transfer(number, good, other.sandbox)
        assert.deepStrictEqual([foreign.status, foreign.body.error.code], [404, "phone_number_not_found"])
        const unknown = { ...number, id: "pn_00000000000000000000000000" }
        const absent = yield* transfer(
          unknown,
          { ...bodyOf(unknown, to), target_environment_id: "nowhere" },
          from.sandbox
        )
        assert.deepStrictEqual([absent.status, absent.body.error.code], [404, "phone_number_not_found"])
      })
  )

  it.effect("is refused in any other state, and while messages are queued, held or being sent M-TRF-06", () =>
    Effect.gen(function* () {
      const { from, number, to } = yield* stage
      const sql = yield* SqlClient.SqlClient
      const body = bodyOf(number, to)
      const tried = Effect.map(transfer(number, body, from.sandbox), (answer) => [
        answer.status,
        answer.body.error?.code
      ])
      const refused = [409, "phone_number_not_transferable"]
      for (const status of ["verifying", "failed", "release_requested", "released"]) {
        yield* sql`update phone_numbers set status = ${status} where id = ${number.id}`
        assert.deepStrictEqual(yield* tried, refused, status)
      }
      yield* sql`update phone_numbers set status = 'active' where id = ${number.id}`
      yield* hear(number, from.sandbox)
      // Queued.
      yield* send(number, from.sandbox)
      assert.deepStrictEqual(yield* tried, refused)
      yield* turnBy(5000)
      // Held, by a scenario.
      yield* send(number, from.sandbox, customer, { sandbox_scenario: "messaging_limit_pacing" })
      assert.deepStrictEqual(yield* tried, refused)
      yield* turnBy(20_000)
      // Held for a slot.
      const message = yield* send(number, from.sandbox)
      yield* turnBy(5000)
      yield* sql`update messages set status = 'queued', status_reason = 'messaging_limit_pacing', due_at = null
        where id = ${message.body.id}`
      assert.deepStrictEqual(yield* tried, refused)
      // The message is being sent.
      yield* sql`update messages set status = 'sending', status_reason = null, due_at = now() + interval '1 day'
        where id = ${message.body.id}`
      assert.deepStrictEqual(yield* tried, refused)
      yield* sql`update messages set status = 'read', due_at = null where id = ${message.body.id}`
      assert.strictEqual((yield* tried)[0], 200)
    })
  )

  it.effect(
    "is possible for a disconnected number, and messages already sent continue in their environment M-TRF-06 M-SBX-25",
    () =>
      Effect.gen(function* () {
        const { api, from, number, to } = yield* stage
        yield* hear(number, from.sandbox)
        const sent = yield* send(number, from.sandbox)
        // The message is sent, and not delivered yet.
        yield* turnBy(600)
        assert.strictEqual((yield* transfer(number, bodyOf(number, to), from.sandbox)).status, 200)
        const status = Effect.map(
          api.get(`/v1/messages/${sent.body.id}`, { key: from.sandbox.key }),
          ({ body }) => body.status
        )
        assert.strictEqual(yield* status, "sent")
        yield* turnBy(4000)
        assert.strictEqual(yield* status, "read")
        const events = yield* api.get("/v1/webhook-events/listen?start_at=oldest&limit=100", { key: from.sandbox.key })
        const types = events.body.data.map(({ type }: { readonly type: string }) => type)
        assert.deepStrictEqual(types, ["message.received", "message.sent", "message.delivered", "message.read"])
        yield* api.post(`/v1/phone-numbers/${number.id}/disconnect`, undefined, { key: to.sandbox.key })
        assert.strictEqual((yield* transfer(number, bodyOf(number, from), to.sandbox)).status, 200)
        const back = yield* api.get(`/v1/phone-numbers/${number.id}`, { key: from.sandbox.key })
        assert.strictEqual(back.body.status, "disconnected")
      })
  )

  it.effect("keeps the recipients of its last 24 hours M-PHN-15 M-PHN-16", () =>
    Effect.gen(function* () {
      const { api, from, number, to } = yield* stage
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into allowance_slots (environment_id, business_id, customer_key, expires_at, uses)
        select ${from.sandbox.id}, ${number.id}, '55119' || k, '2026-01-01T20:00:00Z'::timestamptz, 1
        from generate_series(10000000, 10000009) k`
      assert.strictEqual((yield* transfer(number, bodyOf(number, to), from.sandbox)).status, 200)
      const { body } = yield* api.get(`/v1/phone-numbers/${number.id}`, { key: to.sandbox.key })
      assert.strictEqual(body.current_24h_unique_recipients, 10)
      assert.strictEqual(body.remaining_messaging_allowance_estimate, 890)
    })
  )

  it.effect("loses no message between the two sides, while both send, receive and transfer M-TRF-01 M-TRF-06", () =>
    Effect.gen(function* () {
      const { from, number, to } = yield* stage
      const sql = yield* SqlClient.SqlClient
      const sides = [
        [from, to],
        [to, from]
      ] as const
      const accepted: Array<readonly [string, string]> = []
      const heard: Array<readonly [string, string]> = []
      const moves: Array<string> = []
      const people = Array.from({ length: 6 }, (_, n) => `+55119123450${10 + n}`)
      for (const one of people) yield* hear(number, from.sandbox, one)
      for (let round = 0; round < 8; round++) {
        const calls = sides.flatMap(([here, there]) => [
          ...people.flatMap((one) => [
            Effect.map(send(number, here.sandbox, one), (answer) => {
              if (answer.status === 202) accepted.push([answer.body.id, here.sandbox.id])
              else assert.include(["phone_number_not_found", "service_window_required"], answer.body.error.code)
            }),
            Effect.map(hear(number, here.sandbox, one), (answer) => {
              if (answer.status === 202) heard.push([answer.body.id, here.sandbox.id])
              else assert.strictEqual(answer.body.error.code, "phone_number_not_found")
            })
          ]),
          Effect.map(transfer(number, bodyOf(number, there), here.sandbox), (answer) => {
            if (answer.status === 200) moves.push(there.sandbox.id)
            else assert.include(["phone_number_not_found", "phone_number_not_transferable"], answer.body.error.code)
          })
        ])
        yield* Effect.all(calls, { concurrency: "unbounded" })
        yield* turnBy(5000)
        yield* Effect.all(
          sides.map(([here, there]) =>
            Effect.map(transfer(number, bodyOf(number, there), here.sandbox), (answer) => {
              if (answer.status === 200) moves.push(there.sandbox.id)
            })
          ),
          { concurrency: "unbounded" }
        )
        // Sends and inbound messages on both sides coincide with the transfer.
        yield* Effect.all(
          sides.flatMap(([here]) =>
            people.map((one) =>
              Effect.map(hear(number, here.sandbox, one), (answer) => {
                if (answer.status === 202) heard.push([answer.body.id, here.sandbox.id])
              })
            )
          ),
          { concurrency: "unbounded" }
        )
      }
      yield* turnBy(10_000)
      yield* quiesce
      assert.isAbove(moves.length, 4)
      assert.isAbove(accepted.length, 10)
      const rows = yield* sql<{ id: string; environment_id: string; direction: string; status: string }>`
        select id, environment_id, direction, status from messages where business_id = ${number.id}`
      const found = new Map(rows.map((row) => [row.id, row]))
      for (const [id, environment] of accepted) {
        assert.deepStrictEqual([found.get(id)?.environment_id, found.get(id)?.status], [environment, "read"], id)
      }
      for (const [id, environment] of heard) assert.strictEqual(found.get(id)?.environment_id, environment)
      assert.strictEqual(rows.filter(({ direction }) => direction === "outbound").length, accepted.length)
      const [place] = yield* sql<{
        environment_id: string
      }>`select environment_id from phone_numbers where id = ${number.id}`
      assert.strictEqual(place?.environment_id, moves.at(-1))
    })
  )
})
