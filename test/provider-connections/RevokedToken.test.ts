import { Commit } from "@carteiro/owners/Commit.ts"
import { numberChanges } from "@carteiro/runtime/phone-numbers/PhoneNumbers.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { recipients, seedBatches } from "../batches/BatchStage.ts"
import { Api } from "../support/ApiTest.ts"
import { quiesce } from "../support/OwnerTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { until } from "../support/Until.ts"
import { Upstream, UpstreamProduct } from "../support/Upstream.ts"

const path = "/v1/provider-connections"
let count = 0

/**
 * A registered account of a new production environment, its number, and a count of how often its token reaches the
 * platform.
 */
const stage = Effect.gen(function* () {
  const api = yield* Api
  const simulator = yield* Upstream
  const n = ++count
  const { production } = yield* seedProject(api.acme.organization_id, `revoked-${n}`)
  const { key } = production
  const account = { biz_account_id: `44${n}`, token: `revocable-token-${n}` }
  const upstream_phone_number_id = `45${n}`
  const templates = [{ name: "welcome", language: "pt_BR", category: "UTILITY" as const, body: 1 }]
  const numbers = [{ id: upstream_phone_number_id, display_phone_number: "+1" }]
  simulator.world.add({ ...account, numbers, templates })
  yield* Effect.promise(() => simulator.notices.subscribe(`${api.baseUrl}/webhooks/upstream`))
  const batches = yield* seedBatches(production)
  const cover = numberChanges.cover({
    environment_id: production.id,
    id: batches.number.id,
    upstream_phone_number_id,
    biz_account_id: account.biz_account_id,
    updated_at: yield* Clock.currentTimeMillis
  })
  yield* Effect.orDie((yield* Commit).write([cover]))
  const registered = yield* api.post(
    `${path}/upstream`,
    {
      display_name: "Shop",
      biz_account_id: account.biz_account_id,
      phone_number_id: upstream_phone_number_id,
      access_token: account.token
    },
    { key, idempotencyKey: "register" }
  )
  assert.strictEqual(registered.status, 201, registered.text)
  const { id } = registered.body as { readonly id: string }
  const taken = () =>
    simulator.log.read(0, "message").filter((entry) => entry.phone_number_id === upstream_phone_number_id)
  const send = Effect.fnUntraced(function* (to: string) {
    const { body, status, text } = yield* api.post(
      "/v1/messages",
      {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: batches.number.id },
        recipient: { type: "phone_e164", id: to },
        message: {
          type: "template",
          template: { name: "welcome", language: "pt_BR", variables: { "1": "Ana" } }
        }
      },
      { key }
    )
    assert.strictEqual(status, 202, text)
    const read = Effect.map(api.get(`/v1/messages/${body.id}`, { key }), (answer) => answer.body)
    yield* until(Effect.map(read, (message) => message.status === "failed" || message.status === "read"))
    return yield* read
  })
  return {
    account,
    api,
    batches,
    key,
    send,
    simulator,
    taken,
    upstream_phone_number_id,
    connection: Effect.map(api.get(`${path}/${id}`, { key }), ({ body }) => body),
    chatapp: Effect.map(api.get(`${path}/status`, { key }), ({ body }) => body.channels.chatapp),
    rotate: (access_token: string) =>
      api.post(`${path}/${id}/rotate-token`, { access_token }, { key, idempotencyKey: `to ${access_token}` })
  }
})

it.layer(UpstreamProduct(), { excludeTestServices: true })("A token that the platform revokes", (it) => {
  it.effect(
    'ends every message when it happens in the middle of a batch, shows on the connection, and stops later calls gaps-2 L "Connection transitions"',
    () =>
      Effect.gen(function* () {
        const { account, api, batches, chatapp, connection, key, rotate, send, simulator, taken } = yield* stage
        assert.deepStrictEqual((yield* chatapp).status, "ready")
        // The platform revokes it after ten messages; from then on each use of the token is counted.
        const { tokens } = simulator.world
        const has = tokens.has.bind(tokens)
        let shown = 0
        tokens.has = (token) => {
          if (token === account.token && taken().length >= 10) tokens.delete(token)
          if (token === account.token && !has(token)) shown++
          return has(token)
        }
        const made = yield* batches.post({ recipients: recipients(60, 1000 * count) })
        assert.strictEqual(made.status, 202, made.text)
        const batch = Effect.map(batches.get(`/${made.body.id}`), ({ body }) => body)
        yield* until(Effect.map(batch, ({ status }) => status === "completed"))

        const { body } = yield* api.get(`/v1/batches/${made.body.id}/recipients?limit=100`, { key })
        assert.strictEqual(body.data.length, 60)
        let refused = 0
        for (const { message_id } of body.data as ReadonlyArray<{ readonly message_id: string }>) {
          const message = (yield* api.get(`/v1/messages/${message_id}`, { key })).body
          assert.include(["sent", "delivered", "read", "failed"], message.status)
          if (message.status !== "failed") continue
          refused++
          assert.strictEqual(message.error_code, "provider_connection_unauthorized")
          // Either the platform refused the call, or none was made.
          if (message.provider_error !== null) assert.strictEqual(message.provider_error.code, 190)
        }
        assert.strictEqual(taken().length, 60 - refused)
        assert.isAtLeast(refused, 1)

        yield* until(Effect.map(chatapp, ({ status }) => status === "blocked"))
        const { reasons } = yield* chatapp
        assert.deepStrictEqual(reasons, ["provider_connection_unauthorized"])
        const { status, suspension_reason } = yield* connection
        assert.deepStrictEqual([status, suspension_reason], ["connected", null])
        yield* quiesce
        // Checks of the connection are calls over real sockets, which may still be on their way.
        let before = -1
        let looks = 0
        yield* until(
          Effect.sync(() => {
            looks = shown === before ? looks + 1 : 0
            before = shown
            return looks === 200
          })
        )
        const late = yield* send("+5511920900001")
        assert.deepStrictEqual([late.error_code, late.provider_error], ["provider_connection_unauthorized", null])
        assert.strictEqual(shown, before)

        tokens.set("the-next-token", new Set([account.biz_account_id]))
        assert.strictEqual((yield* rotate("the-next-token")).status, 200)
        assert.deepStrictEqual((yield* chatapp).reasons, [])
        assert.strictEqual((yield* send("+5511920900002")).status, "read")
      })
  )

  it.effect(
    "loses one permission and blocks its account: later sends end before any call M-CONN-10 M-CONN-18 M-CONN-19",
    () =>
      Effect.gen(function* () {
        const { account, chatapp, connection, send, simulator, taken } = yield* stage
        assert.strictEqual((yield* send("+5511920900003")).status, "read")
        const { biz_account_id } = account
        yield* Effect.promise(() =>
          fetch(`${simulator.url}/accounts`, {
            method: "POST",
            body: JSON.stringify({ biz_account_id, send: "BLOCKED", codes: [141011] })
          })
        )
        simulator.faults.set([{ name: "refuse", value: 141011, times: 1 }], undefined)
        const first = yield* send("+5511920900004")
        assert.deepStrictEqual(
          [first.error_code, first.provider_error.code],
          ["upstream_messaging_permission_missing", 141011]
        )
        yield* until(Effect.map(connection, ({ send_capability }) => send_capability === "blocked"))
        const { send_block_codes, status } = yield* connection
        assert.deepStrictEqual([status, send_block_codes], ["connected", ["141011"]])
        assert.deepStrictEqual((yield* chatapp).reasons, ["upstream_messaging_permission_missing"])
        const before = taken().length
        const late = yield* send("+5511920900005")
        assert.deepStrictEqual([late.error_code, late.provider_error], ["upstream_messaging_permission_missing", null])
        assert.strictEqual(taken().length, before)
      })
  )

  it.effect("stays in use after a single refusal, when a check finds the token valid", () =>
    Effect.gen(function* () {
      const { chatapp, send, simulator } = yield* stage
      simulator.faults.set([{ name: "refuse", value: 190, times: 1 }], undefined)
      assert.strictEqual((yield* send("+5511920900006")).provider_error.code, 190)
      assert.strictEqual((yield* send("+5511920900007")).status, "read")
      assert.strictEqual((yield* chatapp).status, "ready")
    })
  )

  it.effect("after its rotation fails no send, whichever token a send uses M-CONN-31", () =>
    Effect.gen(function* () {
      const { account, api, batches, key, rotate, simulator, taken } = yield* stage
      const { tokens } = simulator.world
      const made = yield* batches.post({ recipients: recipients(60, 1000 * count) })
      assert.strictEqual(made.status, 202, made.text)
      for (const [at, token] of [
        [5, "rotated-once"],
        [20, "rotated-twice"],
        [40, "rotated-thrice"]
      ] as const) {
        yield* until(Effect.sync(() => taken().length >= at))
        tokens.set(token, new Set([account.biz_account_id]))
        assert.strictEqual((yield* rotate(token)).status, 200)
      }
      const batch = Effect.map(batches.get(`/${made.body.id}`), ({ body }) => body)
      yield* until(Effect.map(batch, ({ status }) => status === "completed"))
      assert.strictEqual(taken().length, 60)
      const failures = yield* api.get(`/v1/batches/${made.body.id}/failures`, { key })
      assert.deepStrictEqual(failures.body.data, [])
      // The old token may be revoked now: no send uses it any more.
      tokens.delete(account.token)
      const more = yield* batches.post({ recipients: recipients(5, 1000 * count + 500) })
      yield* until(Effect.map(batches.get(`/${more.body.id}`), ({ body }) => body.status === "completed"))
      assert.strictEqual(taken().length, 65)
    })
  )
})
