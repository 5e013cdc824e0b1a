import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { SpeechProvider, TranscriptionAnswer } from "@carteiro/provider/SpeechProvider.ts"
import { makeSpeech } from "@carteiro/provider-speech/Speech.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { oggOpus } from "../support/Media.ts"
import { simulatedSpeechprov, speechKey } from "../support/Speechprov.ts"
import { overSockets } from "../support/Vendors.ts"

// What the bridge of speech alone does; `Speech.test.ts` has the promises of every driver.

/** A simulated vendor and the adapter over sockets to it. */
const stage = Effect.fnUntraced(function* (vendor: 1 | 2 | 3) {
  const simulator = yield* simulatedSpeechprov(vendor)
  const provider = yield* overSockets(makeSpeech({ url: operatorUrl(simulator.url), totalTimeoutMs: 1000 }))
  const fault = (name: string, operation: string, more: object = {}) =>
    simulator.faults.set([{ name, operation, times: 1, ...more }], 1)
  const outcomes = (kind: string) => simulator.log.read(0, kind).map(({ outcome }) => outcome)
  return { simulator, provider, fault, outcomes }
})

const speech = (external_id: string, more: object = {}) => ({
  external_id,
  text: "Olá, seu pedido saiu.",
  voice: "ana",
  language: "pt-BR",
  ...more
})

const recording = (external_id: string, more: object = {}) => ({
  external_id,
  language: "pt-BR",
  mime_type: "audio/ogg",
  filename: 'no"ta\r\n.ogg',
  audio: oggOpus,
  ...more
})

/** Hands over, then asks until it is over. */
const written = Effect.fnUntraced(function* (provider: SpeechProvider, of: ReturnType<typeof recording>) {
  let answer: TranscriptionAnswer = yield* provider.transcribe(speechKey, of)
  if (answer._tag === "Processing") answer = yield* provider.transcription(speechKey, answer.id)
  return answer
})

it.live("audio on another host than the vendor's is not fetched, and a signed URL is fetched without the key", () =>
  Effect.gen(function* () {
    for (const vendor of [2, 3] as const) {
      const { fault, outcomes, provider, simulator } = yield* stage(vendor)
      fault("foreign_url", "speech")
      assert.strictEqual((yield* provider.speak(speechKey, speech("foreign")))._tag, "Failed")
      assert.deepStrictEqual(outcomes("file"), [])
      fault("error_500", "file")
      assert.strictEqual((yield* provider.speak(speechKey, speech("file")))._tag, "Failed")
      assert.strictEqual((yield* provider.speak(speechKey, speech("file")))._tag, "Spoken")
      assert.strictEqual(simulator.log.read(0, "file").at(-1)?.bearer, vendor === 2)
    }
  }).pipe(Effect.scoped)
)

it.live("a text that vendor 2 refuses only at a status request is refused", () =>
  Effect.gen(function* () {
    const { fault, provider } = yield* stage(2)
    fault("late_failure", "speech")
    assert.deepStrictEqual(yield* provider.speak(speechKey, speech("late")), { _tag: "Refused", code: "text_rejected" })
    fault("error_500", "speech_status")
    assert.strictEqual((yield* provider.speak(speechKey, speech("status")))._tag, "Failed")
    assert.strictEqual((yield* provider.speak(speechKey, speech("status")))._tag, "Spoken")
  }).pipe(Effect.scoped)
)

it.live("vendor 1 transcribes a recording once, however often it is sent M-EVT-05", () =>
  Effect.gen(function* () {
    const { provider, simulator } = yield* stage(1)
    const expected = {
      _tag: "Written" as const,
      text: "Texto simulado.",
      duration_seconds: 1,
      model: "speechprov1-sim"
    }
    assert.deepStrictEqual(yield* written(provider, recording("mtr_1", { language: "en" })), {
      ...expected,
      language: "en"
    })
    assert.strictEqual((yield* written(provider, recording("mtr_1")))._tag, "Written")
    assert.deepStrictEqual(yield* written(provider, recording("mtr_2", { language: null })), {
      ...expected,
      language: "pt-BR"
    })
    const [first, second] = simulator.log.read(0, "transcriptions")
    assert.deepInclude(first, {
      outcome: "accepted",
      external_id: "mtr_1",
      idempotency_key: "mtr_1",
      language: "en",
      filename: "no%22ta%0D%0A.ogg",
      type: "audio/ogg",
      bytes: oggOpus.length
    })
    assert.deepInclude(second, { outcome: "repeated", id: first?.id })
  }).pipe(Effect.scoped)
)

it.live("a recording is refused, unknown, late or lost", () =>
  Effect.gen(function* () {
    const { fault, outcomes, provider } = yield* stage(1)
    const noise = recording("noise", { audio: Buffer.from("not a sound") })
    assert.deepStrictEqual(yield* written(provider, noise), { _tag: "Refused", code: "audio_invalid" })
    fault("late_failure", "transcriptions")
    assert.deepStrictEqual(yield* written(provider, recording("late")), { _tag: "Refused", code: "audio_invalid" })
    fault("credentials_invalid", "transcriptions")
    assert.strictEqual((yield* written(provider, recording("key")))._tag, "Refused")
    fault("quota_exceeded", "transcriptions", { value: 3 })
    assert.deepStrictEqual(yield* written(provider, recording("quota")), { _tag: "Failed", retry_after_ms: 3000 })
    fault("stuck", "transcriptions")
    assert.strictEqual((yield* written(provider, recording("stuck")))._tag, "Processing")
    for (const name of ["timeout_after", "reset_after", "error_500_after"]) {
      fault(name, "transcriptions")
      assert.strictEqual((yield* written(provider, recording(name)))._tag, "Failed", name)
      assert.strictEqual((yield* written(provider, recording(name)))._tag, "Written", name)
      assert.strictEqual(outcomes("transcriptions").at(-1), "repeated")
    }
    assert.deepStrictEqual(yield* provider.transcription(speechKey, "tr_404"), { _tag: "Refused", code: "not_found" })
  }).pipe(Effect.scoped)
)

it.live("the transcription of another recording, and the audio of another text, do not count as answers", () =>
  Effect.gen(function* () {
    const { fault, provider } = yield* stage(1)
    const first = recording("tra_1")
    yield* written(provider, first)
    fault("anothers", "transcription_status")
    assert.strictEqual((yield* written(provider, first))._tag, "Failed")
    assert.strictEqual((yield* written(provider, first))._tag, "Written")
    const polled = yield* stage(2)
    polled.fault("anothers", "speech_status")
    assert.strictEqual((yield* polled.provider.speak(speechKey, speech("tts_1")))._tag, "Failed")
    assert.strictEqual((yield* polled.provider.speak(speechKey, speech("tts_1")))._tag, "Spoken")
  }).pipe(Effect.scoped)
)
