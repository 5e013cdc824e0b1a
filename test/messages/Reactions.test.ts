import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { turnBy } from "../support/OwnerTest.ts"
import { told } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { typedStage } from "./TypedSending.ts"

const param = "message.reaction.message_id"
const dayMs = 86_400_000

const stage = Effect.gen(function* () {
  const { send, ...rest } = yield* typedStage
  const target = (yield* rest.simulate({ text: { body: "gostei" } })).body
  const react = (message_id: string, emoji = "👍", more: object = {}) =>
    send({ type: "reaction", reaction: { message_id, emoji } }, more)
  const refused = (message_id: string, ...expected: ReadonlyArray<unknown>) =>
    Effect.map(react(message_id), (answer) => {
      assert.deepStrictEqual(told(answer), [...expected, param] as never, answer.text)
      assert.deepStrictEqual(answer.body.error.feedback, { endpoint: "/v1/feedback", method: "POST" })
    })
  const sql = yield* SqlClient.SqlClient
  return { ...rest, react, refused, send, sql, target }
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Reactions", (it) => {
  it.effect("are sent and stop at sent; an empty emoji removes one M-REACT-01 M-REACT-02 M-REACT-07", () =>
    Effect.gen(function* () {
      const { react, read, target } = yield* stage
      for (const emoji of ["👍", ""]) {
        const { body, status } = yield* react(target.id, emoji)
        assert.strictEqual(status, 202)
        yield* turnBy(60_000)
        const read_ = yield* read(body.id)
        assert.deepInclude(read_, { type: "reaction", status: "sent" })
        assert.deepStrictEqual(read_.payload.request, {
          type: "reaction",
          reaction: { message_id: target.id, emoji, provider_message_id: target.provider_message_id }
        })
      }
    })
  )

  it.effect("find their target only within the conversation M-REACT-03 M-REACT-08 M-REACT-11", () =>
    Effect.gen(function* () {
      const { api, refused, simulate } = yield* stage
      const other = (yield* simulate({ from: "+5521998765432" })).body
      const foreign = yield* api.get("/v1/messages?limit=1", { key: api.other.sandbox.key })
      for (const id of [other.id, "msg_01kah7v3m8q6x2r9d4t5w0y1z3", "nothing", "", foreign.body.data[0]?.id ?? "x"]) {
        yield* refused(id, 404, "message_not_found")
      }
    })
  )

  it.effect("concern a customer's message on the same channel that is not itself a reaction M-REACT-09", () =>
    Effect.gen(function* () {
      const { refused, send, simulate, sql, target } = yield* stage
      const sent = (yield* send({ type: "text", text: { body: "oi" } })).body
      yield* turnBy(3000)
      yield* refused(sent.id, 400, "reaction_target_invalid")
      const channel = (yield* simulate({ channel: "chatapp_channel", from: "5511912345678" })).body
      yield* refused(channel.id, 400, "reaction_target_invalid")
      // Neither age nor a missing provider id is checked before.
      yield* sql`update messages set created_at = created_at - interval '31 days', provider_message_id = null
        where id in (${sent.id}, ${target.id})`
      yield* refused(sent.id, 400, "reaction_target_invalid")
      yield* refused(target.id, 400, "reaction_target_expired")
    })
  )

  it.effect("reach back 30 days to the millisecond, for every type of target M-REACT-04 M-LIM-03", () =>
    Effect.gen(function* () {
      const { react, refused, simulate, sql } = yield* stage
      const old = (yield* simulate({ type: "unsupported" })).body
      yield* sql`update messages set created_at = created_at - interval '30 days' where id = ${old.id}`
      assert.strictEqual((yield* react(old.id)).status, 202)
      yield* turnBy(1)
      yield* refused(old.id, 400, "reaction_target_expired")
    })
  )

  it.effect("need the target's provider id, then the window M-REACT-05 M-REACT-10", () =>
    Effect.gen(function* () {
      const { react, refused, sql, target } = yield* stage
      yield* turnBy(dayMs)
      const closed = yield* react(target.id)
      assert.deepStrictEqual(told(closed), [400, "service_window_required", "message.type"])
      yield* sql`update messages set provider_message_id = null where id = ${target.id}`
      yield* refused(target.id, 409, "reaction_target_unavailable")
    })
  )

  it.effect('may quote a message, which is checked and not sent gaps-2 B "reply_to on reactions" M-REPLY-05', () =>
    Effect.gen(function* () {
      const { react, target } = yield* stage
      const missing = yield* react(target.id, "👍", { reply_to: { message_id: "msg_none" } })
      assert.deepStrictEqual(told(missing), [404, "message_not_found", "reply_to.message_id"])
      assert.strictEqual((yield* react(target.id, "👍", { reply_to: { message_id: target.id } })).status, 202)
    })
  )
})
