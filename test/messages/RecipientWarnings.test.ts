import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { seedBatches } from "../batches/BatchStage.ts"
import { signedIn, textOf } from "../console/Visitor.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { outgoing } from "../webhooks/Deliveries.ts"

const nobody = "+15550001111"
const somebody = "+5511987654321"

it.layer(WholeProduct({ sweeps: false, outgoing, settings: { CARTEIRO_REQUEST_LOG: "on" } }), {
  excludeTestServices: true
})("Recipients that are no number", (it) => {
  it.effect(
    'are accepted with a warning, and marked in request log and console, gaps-2 A "Phones outside `recipient.id`"',
    () =>
      Effect.gen(function* () {
        const { acme, get, post } = yield* Api
        const { id: environment, key } = acme.sandbox
        const number = yield* seedNumber(acme.sandbox)
        const send = Effect.fnUntraced(function* (id: string) {
          const from = { channel: "chatapp", from: id, to: number.id, type: "text", text: { body: "oi" } }
          yield* post("/v1/sandbox/inbound-messages", from, { key })
          return yield* post(
            "/v1/messages",
            {
              channel: "chatapp",
              sender: { type: "chatapp_phone_number", id: number.id },
              recipient: { type: "phone_e164", id },
              message: { type: "text", text: { body: "oi" } }
            },
            { key }
          )
        })
        const odd = yield* send(nobody)
        assert.deepStrictEqual([odd.status, odd.headers["svc-warning"]], [202, "invalid_phone_number"])
        const sound = yield* send(somebody)
        assert.deepStrictEqual([sound.status, sound.headers["svc-warning"]], [202, undefined])

        const request = odd.headers["svc-request-id"]
        const log = get(`/v1/request-logs/${request}`, { key })
        yield* turnBy(500)
        yield* turnBy(500)
        yield* until(Effect.map(log, ({ status }) => status === 200))
        assert.strictEqual((yield* log).body.warning, "invalid_phone_number")

        const someone = yield* signedIn(acme)
        const page = (path: string) => Effect.map(someone.get(`/dashboard/${path}`), ({ text }) => textOf(text))
        assert.include(yield* page(`request-logs/${environment}/${request}`), "invalid phone number")
        assert.include(yield* page(`messages/${environment}/${odd.body.id}`), "no such number")
        assert.include(yield* page(`messages?environment=${environment}`), "no such number")
        assert.notInclude(yield* page(`messages/${environment}/${sound.body.id}`), "no such number")
      })
  )

  it.effect("are told of a batch too, once", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const batches = yield* seedBatches(acme.sandbox)
      const warningOf = (...phones: ReadonlyArray<string>) =>
        Effect.map(
          batches.post({ recipients: phones.map((to) => ({ to, variables: { "1": "Maria" } })) }),
          ({ headers, status, text }) => {
            assert.strictEqual(status, 202, text)
            return headers["svc-warning"]
          }
        )
      assert.strictEqual(yield* warningOf(somebody, nobody, "11987654321"), "invalid_phone_number")
      assert.isUndefined(yield* warningOf(somebody, "+552133334444"))
    })
  )
})
