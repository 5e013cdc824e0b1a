import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { SpeechProvider } from "@carteiro/provider/SpeechProvider.ts"
import { makeElevenLabs } from "@carteiro/provider-elevenlabs/ElevenLabs.ts"
import { makeOpenAi } from "@carteiro/provider-openai/OpenAi.ts"
import { startElevenLabs } from "@carteiro/simulators/elevenlabs/Simulator.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startOpenAi } from "@carteiro/simulators/openai/Simulator.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { oggOpus } from "../support/Media.ts"
import { overSockets } from "../support/Vendors.ts"

const key = "speech-key"

/** The simulated vendors, and their drivers over sockets to them. */
const drivers = {
  openai: { start: startOpenAi, make: makeOpenAi },
  elevenlabs: { start: startElevenLabs, make: makeElevenLabs }
}

const stage = Effect.fnUntraced(function* (driver: keyof typeof drivers) {
  const { make, start } = drivers[driver]
  const simulator = yield* Effect.acquireRelease(
    Effect.promise(() => start({ apiKey: key, now: vendorClock })),
    (running) => Effect.promise(() => running.close())
  )
  const provider: SpeechProvider = yield* overSockets(make({ url: operatorUrl(simulator.url), totalTimeoutMs: 1000 }))
  const fault = (name: string, operation = "speech", more: object = {}) =>
    simulator.faults.set([{ name, operation, times: 1, ...more }], undefined)
  const speak = (more: object = {}, withKey = key) =>
    provider.speak(withKey, { external_id: "mda_1", text: "Olá.", voice: "ana", language: "pt-BR", ...more })
  return { simulator, provider, fault, speak }
})

for (const driver of ["openai", "elevenlabs"] as const) {
  it.live(`${driver}: a text is spoken unchanged as Ogg with Opus, in every neutral voice M-MSG-47`, () =>
    Effect.gen(function* () {
      const { simulator, speak } = yield* stage(driver)
      for (const voice of ["ana", "bia", "clara", "lia", "caio", "davi", "rui", "theo"]) {
        const answer = yield* speak({ voice })
        assert.strictEqual(answer._tag === "Spoken" && answer.mime_type, "audio/ogg", voice)
      }
      assert.isTrue(simulator.log.read(0, "speech").every(({ text }) => text === "Olá."))
    }).pipe(Effect.scoped)
  )

  it.live(`${driver}: refusals are certain, lost calls are not, and a busy vendor says when to retry`, () =>
    Effect.gen(function* () {
      const { fault, speak } = yield* stage(driver)
      assert.deepStrictEqual(yield* speak({ voice: "unknown" }), { _tag: "Refused", code: "voice_unknown" })
      assert.deepStrictEqual(yield* speak({}, "another"), { _tag: "Refused", code: "credentials_invalid" })
      assert.deepStrictEqual(yield* speak({ text: "" }), { _tag: "Refused", code: "text_rejected" })
      for (const code of ["text_rejected", "credentials_invalid", "quota_exceeded", "model_unknown"]) {
        fault(code)
        assert.deepStrictEqual(yield* speak(), { _tag: "Refused", code })
      }
      fault("rate_limited", "speech", { value: 7 })
      assert.deepStrictEqual(yield* speak(), { _tag: "Failed", retry_after_ms: 7000 })
      for (const name of ["timeout", "reset", "error_500", "timeout_after", "reset_after", "error_500_after"]) {
        fault(name)
        assert.deepStrictEqual(yield* speak(), { _tag: "Failed", retry_after_ms: null }, name)
      }
      assert.strictEqual((yield* speak())._tag, "Spoken")
    }).pipe(Effect.scoped)
  )

  it.live(`${driver}: sound that cannot be sent has a type that is refused`, () =>
    Effect.gen(function* () {
      const { fault, speak } = yield* stage(driver)
      for (const name of ["wrong_bytes", "empty_audio"]) {
        fault(name)
        const answer = yield* speak()
        assert.strictEqual(answer._tag === "Spoken" && answer.mime_type, "application/octet-stream", name)
      }
    }).pipe(Effect.scoped)
  )
}

it.live("openai: a recording is written down with language and duration, and a broken answer leaves it open", () =>
  Effect.gen(function* () {
    const { fault, provider, simulator } = yield* stage("openai")
    const transcribe = (more: object = {}) =>
      provider.transcribe(key, {
        external_id: "mtr_1",
        language: "pt-BR",
        mime_type: "audio/ogg; codecs=opus",
        filename: "nota.opus",
        audio: oggOpus,
        ...more
      })
    const written = { _tag: "Written", text: "Texto simulado.", duration_seconds: 1, model: "whisper-1" } as const
    assert.deepStrictEqual(yield* transcribe(), { ...written, language: "pt-BR" })
    assert.deepStrictEqual(yield* transcribe({ language: "en" }), { ...written, language: "en" })
    assert.deepStrictEqual(yield* transcribe({ language: null }), { ...written, language: "pt" })
    assert.deepInclude(simulator.log.read(0, "transcriptions")[0], { filename: "recording.ogg", language: "pt" })
    const invalid = { _tag: "Refused", code: "audio_invalid" } as const
    assert.deepStrictEqual(yield* transcribe({ audio: Buffer.from("%PDF") }), invalid)
    assert.deepStrictEqual(yield* transcribe({ mime_type: "audio/amr" }), invalid)
    for (const name of ["wrong_json", "reset", "error_500_after"]) {
      fault(name, "transcriptions")
      assert.deepStrictEqual(yield* transcribe(), { _tag: "Failed", retry_after_ms: null }, name)
    }
  }).pipe(Effect.scoped)
)
