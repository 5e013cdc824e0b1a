import type { Speech, TranscriptionAnswer } from "@carteiro/provider/SpeechProvider.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { oggOpus } from "../support/Media.ts"
import { speechKey } from "../support/Speechprov.ts"
import { type SpeechDriver, speechDrivers } from "./SpeechDrivers.ts"

// The promises of the port of speech, over every driver; what differs is a fact of the driver.

const refused = (code: string) => ({ _tag: "Refused" as const, code })
const failed = (retry_after_ms: number | null) => ({ _tag: "Failed" as const, retry_after_ms })

/** The stage of a driver, with one text and one recording. */
const stageOf = Effect.fnUntraced(function* ({ stage }: SpeechDriver) {
  const { provider, simulator } = yield* stage
  const fault = (name: string, operation = "speech", more: object = {}) =>
    simulator.faults.set([{ name, operation, times: 1, ...more }], 1)
  const speak = (external_id: string, more: Partial<Speech> = {}, key = speechKey) =>
    provider.speak(key, { external_id, text: "Olá, seu pedido saiu.", voice: "ana", language: "pt-BR", ...more })
  /** Hands a recording over, then asks until its text is there. */
  const transcribe = Effect.fnUntraced(function* (external_id: string, more: object = {}) {
    const recording = { external_id, language: "pt-BR", mime_type: "audio/ogg", filename: 'no"ta\r\n.ogg' }
    let answer: TranscriptionAnswer = yield* provider.transcribe(speechKey, { ...recording, audio: oggOpus, ...more })
    if (answer._tag === "Processing") answer = yield* provider.transcription(speechKey, answer.id)
    return answer
  })
  const outcomes = (kind: string) => simulator.log.read(0, kind).map(({ outcome }) => outcome)
  return { provider, simulator, fault, speak, transcribe, outcomes }
})

describe.each(speechDrivers)("Speech by the driver $name", (driver) => {
  const stage = stageOf(driver)

  it.live("a text is spoken unchanged as Ogg with Opus, in every neutral voice M-MSG-47", () =>
    Effect.gen(function* () {
      const { simulator, speak } = yield* stage
      for (const voice of ["ana", "bia", "clara", "lia", "caio", "davi", "rui", "theo"]) {
        const answer = yield* speak(`mda_${voice}`, { voice })
        if (answer._tag !== "Spoken") return assert.fail(JSON.stringify(answer))
        assert.strictEqual(answer.mime_type, "audio/ogg", voice)
        const head = Buffer.from(answer.audio.subarray(0, 512)).toString("latin1")
        assert.isTrue(head.startsWith("OggS") && head.includes("OpusHead"), voice)
      }
      assert.isTrue(simulator.log.read(0, "speech").every(({ text }) => text === "Olá, seu pedido saiu."))
    }).pipe(Effect.scoped)
  )

  it.live("a text is spoken again under its id, and is paid for once where the vendor keeps it M-MSG-47", () =>
    Effect.gen(function* () {
      const { fault, outcomes, speak } = yield* stage
      for (const name of ["timeout_after", "reset_after", "error_500_after"]) {
        fault(name)
        assert.deepStrictEqual(yield* speak(name), failed(null), name)
        assert.strictEqual((yield* speak(name))._tag, "Spoken", name)
        assert.strictEqual(outcomes("speech").at(-1), driver.keepsTexts ? "repeated" : "accepted", name)
      }
      for (const name of ["timeout", "reset", "error_500"]) {
        fault(name)
        assert.deepStrictEqual(yield* speak(name), failed(null), name)
      }
    }).pipe(Effect.scoped)
  )

  it.live("refusals are certain, and a busy vendor says when to retry", () =>
    Effect.gen(function* () {
      const { fault, speak } = yield* stage
      for (const code of driver.refusals) {
        fault(code)
        assert.deepStrictEqual(yield* speak(code), refused(code))
      }
      assert.deepStrictEqual(yield* speak("voice", { voice: "unknown" }), refused("voice_unknown"))
      assert.deepStrictEqual(yield* speak("key", {}, "another"), refused("credentials_invalid"))
      fault(driver.busy, "speech", { value: 7 })
      assert.deepStrictEqual(yield* speak("busy"), failed(7000))
      assert.strictEqual((yield* speak("busy"))._tag, "Spoken")
    }).pipe(Effect.scoped)
  )

  it.live("sound that cannot be sent is not passed on as Ogg with Opus", () =>
    Effect.gen(function* () {
      const { fault, speak } = yield* stage
      for (const [name, start] of [
        ["wrong_bytes", "%PDF"],
        ["empty_audio", ""]
      ] as const) {
        fault(name)
        const answer = yield* speak(name)
        if (answer._tag !== "Spoken") return assert.fail(JSON.stringify(answer))
        if (driver.judges === "driver") assert.strictEqual(answer.mime_type, "application/octet-stream", name)
        // The room looks at the bytes of a driver that passes them on.
        else assert.strictEqual(Buffer.from(answer.audio).subarray(0, 4).toString(), start, name)
      }
    }).pipe(Effect.scoped)
  )

  it.live(
    "a recording is written down with language, duration and model, or the driver transcribes nothing M-EVT-05",
    () =>
      Effect.gen(function* () {
        const { fault, simulator, transcribe } = yield* stage
        if (driver.transcribes === undefined) {
          assert.strictEqual((yield* transcribe("mtr_1"))._tag, "Refused")
          return assert.deepStrictEqual(simulator.log.read(0, "transcriptions"), [])
        }
        const { model, unnamed } = driver.transcribes
        const written = { _tag: "Written" as const, text: "Texto simulado.", duration_seconds: 1, model }
        for (const [language, shown] of [
          ["pt-BR", "pt-BR"],
          ["en", "en"],
          [null, unnamed]
        ] as const) {
          const answer = yield* transcribe(`mtr_${shown}_${language}`, { language })
          assert.deepStrictEqual(answer, { ...written, language: shown })
        }
        assert.strictEqual(simulator.log.read(0, "transcriptions").length, 3)
        const noise = { audio: Buffer.from("not a sound") }
        assert.deepStrictEqual(yield* transcribe("noise", noise), refused("audio_invalid"))
        for (const name of ["reset", "error_500_after"]) {
          fault(name, "transcriptions")
          assert.deepStrictEqual(yield* transcribe(name), failed(null), name)
          assert.strictEqual((yield* transcribe(name))._tag, "Written", name)
        }
      }).pipe(Effect.scoped)
  )
})

it.live(
  "openai: a recording has a name that the vendor takes, in its language, and a broken answer leaves it open",
  () =>
    Effect.gen(function* () {
      const openai = speechDrivers.find(({ name }) => name === "openai") ?? assert.fail("no driver")
      const { fault, simulator, transcribe } = yield* stageOf(openai)
      const opus = { mime_type: "audio/ogg; codecs=opus", filename: "nota.opus" }
      assert.strictEqual((yield* transcribe("mtr_1", opus))._tag, "Written")
      assert.deepInclude(simulator.log.read(0, "transcriptions")[0], { filename: "recording.ogg", language: "pt" })
      assert.deepStrictEqual(yield* transcribe("mtr_2", { mime_type: "audio/amr" }), refused("audio_invalid"))
      fault("wrong_json", "transcriptions")
      assert.deepStrictEqual(yield* transcribe("mtr_3"), failed(null))
    }).pipe(Effect.scoped)
)
