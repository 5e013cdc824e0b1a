import { type ChatCall, ConnectedChat, notConnected } from "@carteiro/provider/ChatProvider.ts"
import * as Billing from "@carteiro/runtime/billing/room.ts"
import * as Flows from "@carteiro/runtime/flows/room.ts"
import * as Media from "@carteiro/runtime/media/room.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import * as PhoneNumbers from "@carteiro/runtime/phone-numbers/room.ts"
import * as Sandbox from "@carteiro/runtime/sandbox/room.ts"
import * as Templates from "@carteiro/runtime/templates/room.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ApiTest } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { served } from "../support/ServedRooms.ts"
import { testBlobs } from "../support/TestBlobs.ts"
import { told } from "../support/Told.ts"
import { until } from "../support/Until.ts"
import { sandboxProject } from "./SandboxProject.ts"
import { hear } from "./Sending.ts"

/** The provider's answers, and its recorded calls. */
let answering: Effect.Effect<ChatCall<void>> | undefined
const asked: Array<readonly [string, boolean]> = []

const connected = Layer.succeed(ConnectedChat, () =>
  Effect.sync(() =>
    answering === undefined
      ? notConnected
      : {
          _tag: "Connected" as const,
          provider: {
            name: "upstream" as const,
            send: () => Effect.succeed({ _tag: "Unknown" as const }),
            acknowledge: (id: string, typing: boolean) => {
              asked.push([id, typing])
              return answering ?? Effect.never
            }
          }
        }
  )
)

const rooms = served(
  Billing.room,
  Flows.room,
  Templates.room,
  Media.room,
  Messages.room,
  PhoneNumbers.room,
  Sandbox.room
)
const product = ApiTest(rooms.pipe(Layer.provide([connected, testBlobs])), Messages.room.owners)

const stage = Effect.gen(function* () {
  const { api, key, number, project, simulate } = yield* sandboxProject
  const type = (id: string, options: object = {}) =>
    api.post(`/v1/messages/${id}/typing`, undefined, { key, ...options })
  return { api, key, number, project, simulate, type }
})

it.layer(product, { excludeTestServices: true })('The typing indicator, gaps-2 B "Typing indicator"', (it) => {
  it.effect("is simulated in a sandbox, without any call M-SBX-25 M-MSG-59", () =>
    Effect.gen(function* () {
      const { simulate, type } = yield* stage
      const { id } = (yield* simulate()).body
      const { body, headers, status } = yield* type(id)
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        id,
        object: "typing_indicator",
        message_id: id,
        expires_at: "2026-01-01T00:00:25.000Z",
        trace_id: headers["svc-trace-id"]
      })
      assert.deepStrictEqual(asked, [])
    })
  )

  it.effect("concerns a customer's chatapp message of the caller", () =>
    Effect.gen(function* () {
      const { api, key, number, simulate, type } = yield* stage
      const inbound = (yield* simulate()).body
      const channel = (yield* simulate({ channel: "chatapp_channel", from: "news" })).body
      const sent = yield* api.post(
        "/v1/messages",
        {
          channel: "chatapp",
          sender: { type: "chatapp_phone_number", id: number.id },
          recipient: { type: "phone_e164", id: "+5511912345678" },
          message: { type: "text", text: { body: "oi" } }
        },
        { key }
      )
      for (const { id } of [channel, sent.body]) {
        assert.deepStrictEqual(told(yield* type(id)), [400, "invalid_message_request", "message_id"])
      }
      for (const [id, options] of [
        ["nothing", {}],
        [inbound.id, { key: api.other.sandbox.key }]
      ] as const) {
        assert.deepStrictEqual(told(yield* type(id, options)), [404, "message_not_found", undefined])
      }
    })
  )

  it.effect("needs an active number, and no other number replaces it M-DLV-03 M-DLV-04", () =>
    Effect.gen(function* () {
      const { number, project, simulate, type } = yield* stage
      yield* seedNumber(project.sandbox)
      const { id } = (yield* simulate()).body
      const sql = yield* SqlClient.SqlClient
      yield* sql`update phone_numbers set status = 'disconnected' where id = ${number.id}`
      assert.deepStrictEqual(told(yield* type(id)), [400, "sender_phone_number_unavailable", "message_id"])
    })
  )

  it.effect("stops with the messaging family M-ERR-08", () =>
    Effect.gen(function* () {
      const { project, simulate, type } = yield* stage
      const { id } = (yield* simulate()).body
      const sql = yield* SqlClient.SqlClient
      yield* sql`update environments set capabilities_off = '["messaging"]' where id = ${project.sandbox.id}`
      assert.deepStrictEqual(told(yield* type(id)), [403, "feature_disabled", undefined])
    })
  )

  it.effect(
    "calls the provider in production, which also marks the message as read, and waits at most five seconds",
    () =>
      Effect.gen(function* () {
        const { project, type } = yield* stage
        const number = yield* seedNumber(project.production)
        const { id } = yield* hear(number, { provider: "upstream", provider_message_id: "wamid.1" })
        const { key } = project.production
        const told_ = Effect.map(type(id, { key }), told)
        const refused = [502, "provider_error", undefined] as const
        assert.deepStrictEqual(yield* told_, [...refused])
        answering = Effect.succeed({ _tag: "Done", value: undefined })
        assert.deepStrictEqual(yield* told_, [200, undefined, undefined])
        assert.deepStrictEqual(asked, [["wamid.1", true]])
        answering = Effect.succeed({ _tag: "Refused", code: "upstream_rejected", error: null })
        assert.deepStrictEqual(yield* told_, [...refused])
        answering = Effect.never
        const before = asked.length
        const waiting = yield* Effect.forkChild(told_)
        yield* until(Effect.sync(() => asked.length > before))
        yield* turnBy(4999)
        yield* turnBy(1)
        assert.deepStrictEqual(yield* Fiber.join(waiting), [...refused])
      })
  )
})
