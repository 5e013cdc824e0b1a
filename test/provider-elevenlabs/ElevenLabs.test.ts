import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { Speech } from "@carteiro/provider/SpeechProvider.ts"
import { type ElevenLabsOptions, makeElevenLabs, proveElevenLabs } from "@carteiro/provider-elevenlabs/ElevenLabs.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { oggOpus } from "../support/Media.ts"
import { type StandAnswer, type StandRequest, vendorStand } from "../support/VendorStand.ts"
import { overSockets } from "../support/Vendors.ts"

const key = "xi-test"

const speech: Speech = { external_id: "mda_1", text: "Olá, seu pedido saiu.", voice: "ana", language: "pt-BR" }

const spoken: StandAnswer = { headers: { "content-type": "audio/opus" }, body: oggOpus }

const stage = Effect.fnUntraced(function* (
  answer: (request: StandRequest) => StandAnswer,
  options: Omit<ElevenLabsOptions, "url"> = {}
) {
  const stand = yield* vendorStand(answer)
  const url = operatorUrl(stand.url)
  const provider = yield* overSockets(makeElevenLabs({ url, totalTimeoutMs: 1000, ...options }))
  return { provider, received: stand.received, prove: overSockets(proveElevenLabs({ url }, key)) }
})

const errorOf = (status: number, detail: unknown, headers: Readonly<Record<string, string>> = {}): StandAnswer => ({
  status,
  headers,
  body: { detail }
})

describe("speech by ElevenLabs", () => {
  it.live("asks for the text unchanged, by the key of the environment, as Opus M-MSG-47", () =>
    Effect.gen(function* () {
      const { provider, received } = yield* stage(() => spoken)
      const answer = yield* provider.speak(key, speech)
      assert.strictEqual(answer._tag === "Spoken" && answer.mime_type, "audio/ogg")
      assert.deepStrictEqual(answer._tag === "Spoken" && Buffer.from(answer.audio), oggOpus)
      const [request] = received
      assert.strictEqual(`${request?.method} ${request?.path}`, "POST /v1/text-to-speech/EXAVITQu4vr4xnSDxMaL")
      assert.strictEqual(request?.query.get("output_format"), "opus_48000_64")
      assert.strictEqual(request?.headers["xi-api-key"], key)
      assert.isUndefined(request?.headers.authorization)
      assert.deepStrictEqual(JSON.parse(String(request?.body)), {
        text: speech.text,
        model_id: "eleven_multilingual_v2"
      })
    }).pipe(Effect.scoped)
  )

  it.live(
    "takes the operator's model and voices first, hands on a voice of the account, and tells later models the language",
    () =>
      Effect.gen(function* () {
        const own = new Map([["ana", "voice-of-ours"]])
        const { provider, received } = yield* stage(() => spoken, { model: "eleven_flash_v2_5", voices: own })
        yield* provider.speak(key, speech)
        yield* provider.speak(key, { ...speech, voice: "../v1/user", language: "por" })
        assert.deepStrictEqual(
          received.map(({ body, path }) => [path, JSON.parse(String(body)).language_code]),
          [
            ["/v1/text-to-speech/voice-of-ours", "pt"],
            ["/v1/text-to-speech/..%2Fv1%2Fuser", undefined]
          ]
        )
      }).pipe(Effect.scoped)
  )

  it.live("audio without the Ogg container has no type that could be sent", () =>
    Effect.gen(function* () {
      for (const [type, judged] of [
        ["audio/opus", "application/octet-stream"],
        ["audio/mpeg", "audio/mpeg"]
      ] as const) {
        const { provider } = yield* stage(() => ({
          headers: { "content-type": type },
          body: Buffer.from([0xfc, 1, 2])
        }))
        const answer = yield* provider.speak(key, speech)
        assert.strictEqual(answer._tag === "Spoken" && answer.mime_type, judged)
      }
    }).pipe(Effect.scoped)
  )

  it.live("refusals are certain, lost calls are not, and a busy vendor says when to retry", () =>
    Effect.gen(function* () {
      let answer: StandAnswer = spoken
      const { provider } = yield* stage(() => answer)
      const expected: ReadonlyArray<readonly [StandAnswer, object]> = [
        [errorOf(404, { status: "voice_not_found" }), { _tag: "Refused", code: "voice_unknown" }],
        [errorOf(400, { status: "voice_not_found" }), { _tag: "Refused", code: "voice_unknown" }],
        [errorOf(401, { status: "quota_exceeded" }), { _tag: "Refused", code: "quota_exceeded" }],
        [
          errorOf(402, { type: "payment_required", code: "paid_plan_required" }),
          { _tag: "Refused", code: "quota_exceeded" }
        ],
        [errorOf(401, { status: "invalid_api_key" }), { _tag: "Refused", code: "credentials_invalid" }],
        [errorOf(400, { status: "max_character_limit_exceeded" }), { _tag: "Refused", code: "text_rejected" }],
        [errorOf(400, { status: "input_text_empty" }), { _tag: "Refused", code: "text_rejected" }],
        [errorOf(422, [{ loc: ["body", "text"], msg: "too short" }]), { _tag: "Refused", code: "text_rejected" }],
        [errorOf(422, [{ loc: ["path", "voice_id"] }]), { _tag: "Refused", code: "voice_unknown" }],
        [errorOf(400, { status: "constructor", code: "toString" }), { _tag: "Refused", code: "refused" }],
        [errorOf(400, "odd"), { _tag: "Refused", code: "refused" }],
        [errorOf(429, { status: "system_busy" }, { "retry-after": "7" }), { _tag: "Failed", retry_after_ms: 7000 }],
        [errorOf(409, {}), { _tag: "Failed", retry_after_ms: null }],
        [errorOf(500, {}), { _tag: "Failed", retry_after_ms: null }],
        ["lost", { _tag: "Failed", retry_after_ms: null }]
      ]
      for (const [next, judged] of expected) {
        answer = next
        assert.deepStrictEqual(yield* provider.speak(key, speech), judged, JSON.stringify(next))
      }
    }).pipe(Effect.scoped)
  )

  it.live("a key is proven by one read", () =>
    Effect.gen(function* () {
      const { prove, received } = yield* stage(() => ({ body: { tier: "creator" } }))
      assert.deepStrictEqual(yield* prove, { _tag: "Done" })
      assert.strictEqual(`${received[0]?.method} ${received[0]?.path}`, "GET /v1/user/subscription")
      const refused = yield* stage(() => errorOf(401, { status: "invalid_api_key" }))
      assert.deepStrictEqual(yield* refused.prove, { _tag: "Refused", code: "credentials_invalid" })
    }).pipe(Effect.scoped)
  )
})
