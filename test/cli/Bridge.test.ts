import { withBridge } from "@carteiro/runtime/app/BridgeAdapters.ts"
import { runChecks } from "@carteiro/runtime/cli/bridge/BridgeCheck.ts"
import { numberChecks } from "@carteiro/runtime/cli/bridge/NumberChecks.ts"
import { speechChecks } from "@carteiro/runtime/cli/bridge/SpeechChecks.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startNumprov } from "@carteiro/simulators/numprov/Simulator.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { simulatedSpeechprov, speechKey } from "../support/Speechprov.ts"
import { vendorStand } from "../support/VendorStand.ts"

const simulatedNumprov = Effect.acquireRelease(
  Effect.promise(() => startNumprov({ apiKey: "ours", webhookSecret: "secret", workMs: 0, now: vendorClock })),
  (running) => Effect.promise(() => running.close())
)

const checkNumbers = (url: string, writes: boolean) =>
  withBridge(url, ({ numbers }) =>
    runChecks(numberChecks(numbers, { key: Redacted.make("ours"), ddd: "11", id: "check_1" }), writes)
  )

const checkSpeech = (url: string, writes: boolean, transcribes: boolean) =>
  withBridge(url, ({ speech }) =>
    runChecks(speechChecks(speech, { key: speechKey, voice: "ana", id: "check_1", transcribes }), writes)
  )

describe("the check of a bridge", () => {
  it.live("finds a bridge of numbers that keeps all promises, and makes nothing without --write", () =>
    Effect.gen(function* () {
      const simulator = yield* simulatedNumprov
      const read = yield* checkNumbers(simulator.url, false)
      assert.deepStrictEqual(
        read.map(({ status }) => status),
        ["kept", "kept", "kept", "kept", "kept", "left_out"]
      )
      assert.deepStrictEqual(simulator.log.read(0, "order").length, 0)
      const whole = yield* checkNumbers(simulator.url, true)
      assert.deepStrictEqual(
        whole.filter(({ status }) => status !== "kept"),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.live("says which promise is broken, and by which answer", () =>
    Effect.gen(function* () {
      const { received, url } = yield* vendorStand(({ headers, path }) => {
        if (headers.authorization !== "Bearer ours") return { status: 403, body: { error: { code: "forbidden" } } }
        if (path === "/v1/account") return { body: { id: "acc_1", name: "Loja" } }
        if (path === "/v1/available") {
          return { body: { data: [{ number: "+5521999990001", ddd: "11", monthly_price_centavos: 1 }] } }
        }
        if (path === "/v1/orders") return { body: { data: [{ id: "o", external_id: "other", status: "active" }] } }
        const same = { number_id: "n", number: "+5511999990001", status: "active", sms: true }
        return { body: { data: [same], next_cursor: "again" } }
      })
      const results = yield* checkNumbers(url, false)
      assert.deepStrictEqual(
        results.map(({ problem, status }) => (problem === null ? status : problem)),
        [
          "kept",
          '{"_tag":"Refused","code":"forbidden"}',
          "+5521999990001 is no number of 11",
          "n is on two pages",
          '{"_tag":"Unknown","retry_after_ms":null}',
          "left_out"
        ]
      )
      assert.isTrue(received.every(({ method }) => method === "GET"))
    }).pipe(Effect.scoped)
  )

  it.live("finds bridges of speech that keep all promises, whichever way the audio comes", () =>
    Effect.gen(function* () {
      for (const vendor of [1, 2, 3] as const) {
        const { url } = yield* simulatedSpeechprov(vendor)
        const results = yield* checkSpeech(url, true, vendor === 1)
        assert.strictEqual(results.length, vendor === 1 ? 4 : 3)
        assert.deepStrictEqual(
          results.filter(({ status }) => status !== "kept"),
          []
        )
      }
    }).pipe(Effect.scoped)
  )

  it.live("does not take an MP3 for what a voice message needs", () =>
    Effect.gen(function* () {
      const { url } = yield* vendorStand(({ headers }) =>
        headers.authorization === `Bearer ${speechKey}`
          ? { headers: { "content-type": "audio/mpeg" }, body: Buffer.from("ID3") }
          : { status: 401, body: { error: { code: "credentials_invalid" } } }
      )
      const results = yield* checkSpeech(url, true, false)
      assert.deepStrictEqual(
        results.map(({ problem }) => problem),
        [null, '{"_tag":"Spoken","mime_type":"audio/mpeg","audio":"bytes"}', "the audio came as audio/mpeg"]
      )
    }).pipe(Effect.scoped)
  )
})
