import { Ids } from "@carteiro/owners/Ids.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { turnBy } from "../support/OwnerTest.ts"
import type { TestEnvironment } from "../support/Tenants.ts"
import { told } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { sandboxProject } from "./SandboxProject.ts"

/** A connected social account of an environment. */
const seedAccount = Effect.fnUntraced(function* (environment: TestEnvironment) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const id = (yield* Ids).mint("pcn", now)
  yield* sql`insert into provider_connections (environment_id, id, environment, provider, channel, status, display_name,
      created_at, updated_at)
    values (${environment.id}, ${id}, ${environment.kind}, 'upstream', 'socialapp', 'connected', 'Loja',
      ${new Date(now)}, ${new Date(now)})`
  return id
}, Effect.orDie)

const stage = Effect.gen(function* () {
  const { api, key, number, project, simulate } = yield* sandboxProject
  const account = yield* seedAccount(project.sandbox)
  const body = (sender: string, more: object = {}) => ({
    channel: "socialapp",
    sender: { type: "social_account", id: sender },
    recipient: { type: "social_user", id: "ig:ana" },
    message: { type: "text", text: { body: "oi" } },
    ...more
  })
  const send = (more: object = {}, sender = account, options: object = {}) =>
    api.post("/v1/messages", body(sender, more), { key, ...options })
  const hear = (more: object = {}) => simulate({ channel: "socialapp", from: "ig:ana", to: account, ...more })
  return { account, api, hear, key, number, project, send }
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })(
  'The social channel, gaps-2 B "Social and channel addressing"',
  (it) => {
    it.effect("carries messages of a connected account within its window M-MSG-15 M-WIN-01", () =>
      Effect.gen(function* () {
        const { account, api, hear, key, send } = yield* stage
        assert.deepStrictEqual(told(yield* send()), [400, "service_window_required", "message.type"])
        const heard = yield* hear()
        assert.deepStrictEqual(heard.body.recipient, { type: "social_account", id: account })
        const answer = yield* send()
        assert.strictEqual(answer.status, 202, answer.text)
        yield* turnBy(3000)
        const shown = (yield* api.get(`/v1/messages/${answer.body.id}`, { key })).body
        assert.deepInclude(shown, { channel: "socialapp", status: "read", provider: "sandbox" })
        assert.deepStrictEqual(shown.sender, { type: "social_account", id: account, profile_name: null })
        assert.deepStrictEqual(shown.recipient, { type: "social_user", id: "ig:ana" })
        assert.strictEqual((yield* send({ recipient: { type: "social_user", id: "ig:bia" } })).status, 400)
        assert.strictEqual((yield* send({ message: { type: "media", media: { kind: "image", id: "1" } } })).status, 202)
      })
    )

    it.effect("has no message that a number can react to or quote M-REACT-09 M-REPLY-02", () =>
      Effect.gen(function* () {
        const { api, hear, key, number } = yield* stage
        const heard = (yield* hear()).body.id
        const chat = (message: object, more: object = {}) =>
          api.post(
            "/v1/messages",
            {
              channel: "chatapp",
              sender: { type: "chatapp_phone_number", id: number.id },
              recipient: { type: "phone_e164", id: "5511912345678" },
              message,
              ...more
            },
            { key }
          )
        const reaction = yield* chat({ type: "reaction", reaction: { message_id: heard, emoji: "👍" } })
        assert.deepStrictEqual(told(reaction), [400, "reaction_target_invalid", "message.reaction.message_id"])
        const reply = yield* chat({ type: "text", text: { body: "oi" } }, { reply_to: { message_id: heard } })
        assert.deepStrictEqual(told(reply), [404, "message_not_found", "reply_to.message_id"])
      })
    )

    it.effect("knows only accounts of the environment, and no numbers M-PHN-53 M-ERR-02", () =>
      Effect.gen(function* () {
        const { api, account, number, send } = yield* stage
        const unknown = [404, "phone_number_not_found", "sender.id"]
        for (const sender of [number.id, "pcn_01kah7v3m8q6x2r9d4t5w0y1z3", "x"]) {
          assert.deepStrictEqual(told(yield* send({}, sender)), unknown as never)
        }
        assert.deepStrictEqual(told(yield* send({}, account, { key: api.other.sandbox.key })), unknown as never)
      })
    )

    it.effect("refuses quotes, and fails without a live adapter in production M-REPLY-04 M-DLV-02", () =>
      Effect.gen(function* () {
        const { api, hear, project, send } = yield* stage
        const { id } = (yield* hear()).body
        const quoting = yield* send({ reply_to: { message_id: id } })
        assert.deepStrictEqual(told(quoting), [400, "invalid_message_request", "reply_to"])
        const account = yield* seedAccount(project.production)
        const sql = yield* SqlClient.SqlClient
        yield* sql`insert into service_windows (environment_id, channel, business_id, customer_key, latest_inbound_at)
          values (${project.production.id}, 'socialapp', ${account}, 'ig:ana', ${new Date(yield* Clock.currentTimeMillis)})`
        const { key } = project.production
        const answer = yield* send({}, account, { key })
        assert.strictEqual(answer.status, 202, answer.text)
        yield* turnBy(1000)
        const shown = (yield* api.get(`/v1/messages/${answer.body.id}`, { key })).body
        assert.deepInclude(shown, { status: "failed", error_code: "no_provider_connection", provider_error: null })
      })
    )
  }
)
