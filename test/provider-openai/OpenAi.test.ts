import { operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { Recording, Speech } from "@carteiro/provider/SpeechProvider.ts"
import { makeOpenAi, type OpenAiOptions } from "@carteiro/provider-openai/OpenAi.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { audioFlaws, audioUndescribed } from "../conformance/vendor/AudioDescription.ts"
import { memoryCalls, watchedSockets } from "../support/ClientSockets.ts"
import { oggOpus } from "../support/Media.ts"
import { type StandAnswer, type StandRequest, vendorStand } from "../support/VendorStand.ts"
import { overSockets } from "../support/Vendors.ts"

const key = "sk-test"

const speech: Speech = { external_id: "mda_1", text: "Olá, seu pedido saiu.", voice: "ana", language: "pt-BR" }

const recording: Recording = {
  external_id: "mtr_1",
  language: "pt-BR",
  mime_type: "audio/ogg; codecs=opus",
  filename: "Maria da Silva.opus",
  audio: oggOpus
}

const spoken: StandAnswer = { headers: { "content-type": "audio/opus" }, body: oggOpus }

const stage = Effect.fnUntraced(function* (
  answer: (request: StandRequest) => StandAnswer,
  options: Omit<OpenAiOptions, "url"> = {}
) {
  const stand = yield* vendorStand(answer)
  const provider = yield* overSockets(makeOpenAi({ url: operatorUrl(stand.url), totalTimeoutMs: 1000, ...options }))
  return { provider, received: stand.received }
})

const errorOf = (status: number, error: object, headers: Readonly<Record<string, string>> = {}): StandAnswer => ({
  status,
  headers,
  body: { error: { message: "refused", type: "invalid_request_error", param: null, code: null, ...error } }
})

const formOf = (request: StandRequest): Promise<FormData> =>
  new Response(new Uint8Array(request.body), {
    headers: { "content-type": request.headers["content-type"] ?? "" }
  }).formData()

describe("speech by OpenAI", () => {
  it.live(`asks for the text unchanged, by the key of the environment, as Ogg Opus M-MSG-47${audioUndescribed}`, () =>
    Effect.gen(function* () {
      const { provider, received } = yield* stage(() => spoken)
      const answer = yield* provider.speak(key, speech)
      assert.deepStrictEqual(answer, { _tag: "Spoken", mime_type: "audio/ogg", audio: new Uint8Array(oggOpus) })
      const [request] = received
      assert.strictEqual(`${request?.method} ${request?.path}`, "POST /v1/audio/speech")
      assert.strictEqual(request?.headers.authorization, `Bearer ${key}`)
      assert.deepStrictEqual(
        Object.keys(request?.headers ?? {}).filter((name) => name.startsWith("x-stainless")),
        []
      )
      const body = JSON.parse(String(request?.body))
      assert.deepInclude(body, {
        model: "gpt-4o-mini-tts",
        input: speech.text,
        voice: "coral",
        response_format: "opus"
      })
      assert.include(body.instructions, "pt-BR")
      assert.deepStrictEqual(audioFlaws("CreateSpeechRequest", body), [])
    }).pipe(Effect.scoped)
  )

  it.live("takes the operator's model and voices first, and hands on a voice of the account's own", () =>
    Effect.gen(function* () {
      const voices = new Map([["ana", "voice_1234"]])
      const { provider, received } = yield* stage(() => spoken, { model: "tts-1-hd", voices })
      yield* provider.speak(key, speech)
      yield* provider.speak(key, { ...speech, voice: "marin" })
      const bodies = received.map(({ body }) => JSON.parse(String(body)))
      assert.deepStrictEqual(
        bodies.map(({ instructions, model, voice }) => ({ instructions, model, voice })),
        [
          { instructions: undefined, model: "tts-1-hd", voice: { id: "voice_1234" } },
          { instructions: undefined, model: "tts-1-hd", voice: "marin" }
        ]
      )
      for (const body of bodies) assert.deepStrictEqual(audioFlaws("CreateSpeechRequest", body), [])
    }).pipe(Effect.scoped)
  )

  it.live("audio that is not Ogg with Opus has no type that could be sent", () =>
    Effect.gen(function* () {
      const { provider } = yield* stage(() => ({
        headers: { "content-type": "audio/opus" },
        body: Buffer.from("%PDF")
      }))
      const answer = yield* provider.speak(key, speech)
      assert.strictEqual(answer._tag === "Spoken" && answer.mime_type, "application/octet-stream")
    }).pipe(Effect.scoped)
  )

  it.live("refusals are certain, lost calls are not, and a busy vendor says when to retry", () =>
    Effect.gen(function* () {
      let answer: StandAnswer = spoken
      const { provider, received } = yield* stage(() => answer)
      const enumerated = "[{'type': 'enum', 'loc': ('body', 'voice'), 'msg': \"Input should be 'nova'\", 'input': 'x'}]"
      const expected: ReadonlyArray<readonly [StandAnswer, object]> = [
        [errorOf(400, { param: "voice" }), { _tag: "Refused", code: "voice_unknown" }],
        [errorOf(400, { message: enumerated }), { _tag: "Refused", code: "voice_unknown" }],
        [errorOf(400, { param: "input", code: "string_above_max_length" }), { _tag: "Refused", code: "text_rejected" }],
        [errorOf(400, { code: "content_policy_violation" }), { _tag: "Refused", code: "text_rejected" }],
        [errorOf(404, { code: "model_not_found" }), { _tag: "Refused", code: "model_unknown" }],
        [errorOf(401, { code: "invalid_api_key" }), { _tag: "Refused", code: "credentials_invalid" }],
        [errorOf(400, { code: "constructor", param: "toString" }), { _tag: "Refused", code: "text_rejected" }],
        [errorOf(403, {}), { _tag: "Refused", code: "credentials_invalid" }],
        [errorOf(429, { code: "insufficient_quota" }), { _tag: "Refused", code: "quota_exceeded" }],
        [errorOf(429, {}, { "retry-after": "7" }), { _tag: "Failed", retry_after_ms: 7000 }],
        [errorOf(429, {}, { "retry-after-ms": "1500" }), { _tag: "Failed", retry_after_ms: 1500 }],
        [errorOf(500, {}, { "x-should-retry": "true" }), { _tag: "Failed", retry_after_ms: null }],
        ["lost", { _tag: "Failed", retry_after_ms: null }]
      ]
      for (const [next, judged] of expected) {
        answer = next
        assert.deepStrictEqual(yield* provider.speak(key, speech), judged, JSON.stringify(next))
      }
      assert.strictEqual(received.length, expected.length, "the client repeats no call")
    }).pipe(Effect.scoped)
  )

  it.live("a key that cannot stand in a header fails the call, and throws nothing", () =>
    Effect.gen(function* () {
      const { provider } = yield* stage(() => spoken)
      for (const broken of ["", "a\nb"]) assert.strictEqual((yield* provider.speak(broken, speech))._tag, "Failed")
    }).pipe(Effect.scoped)
  )
})

describe("transcription by OpenAI", () => {
  it.live(`returns text, language and duration, and sends no name of the file${audioUndescribed}`, () =>
    Effect.gen(function* () {
      const verbose = { task: "transcribe", language: "portuguese", duration: 8.47, text: "Oi." }
      const { provider, received } = yield* stage(() => ({ body: verbose }))
      assert.deepStrictEqual(yield* provider.transcribe(key, recording), {
        _tag: "Written",
        text: "Oi.",
        language: "pt-BR",
        duration_seconds: 8.47,
        model: "whisper-1"
      })
      assert.deepStrictEqual(audioFlaws("CreateTranscriptionResponseVerboseJson", verbose), [])
      const [request] = received
      assert.strictEqual(`${request?.method} ${request?.path}`, "POST /v1/audio/transcriptions")
      const form = yield* Effect.promise(() => formOf(request as StandRequest))
      const file = form.get("file") as File
      assert.deepStrictEqual([file.name, file.type, file.size], ["recording.ogg", "audio/ogg", oggOpus.length])
      const fields: Readonly<Record<string, unknown>> = { ...Object.fromEntries(form), file: "" }
      assert.deepStrictEqual(fields, { file: "", model: "whisper-1", language: "pt", response_format: "verbose_json" })
      assert.deepStrictEqual(audioFlaws("CreateTranscriptionRequest", fields), [])
    }).pipe(Effect.scoped)
  )

  it.live(`a model without the long form tells what it knows${audioUndescribed}`, () =>
    Effect.gen(function* () {
      const short = { text: "Hi.", languages: [{ code: "en" }], usage: { type: "duration", seconds: 9 } }
      assert.deepStrictEqual(audioFlaws("CreateTranscriptionResponseJson", short), [])
      let answer: object = short
      const { provider, received } = yield* stage(() => ({ body: answer }), { transcriptionModel: "gpt-transcribe" })
      const written = { _tag: "Written", model: "gpt-transcribe" } as const
      assert.deepStrictEqual(yield* provider.transcribe(key, { ...recording, language: null }), {
        ...written,
        text: "Hi.",
        language: "en",
        duration_seconds: 9
      })
      answer = { text: "" }
      assert.deepStrictEqual(yield* provider.transcribe(key, recording), {
        ...written,
        text: "",
        language: null,
        duration_seconds: null
      })
      const form = yield* Effect.promise(() => formOf(received[0] as StandRequest))
      assert.strictEqual(form.get("response_format"), "json")
      assert.isFalse(form.has("language"))
    }).pipe(Effect.scoped)
  )

  it.live("a recording that the vendor cannot take is refused, before it is sent where its length says so", () =>
    Effect.gen(function* () {
      let answer: StandAnswer = errorOf(400, { message: "Invalid file format. Supported formats: ['flac']" })
      const { provider, received } = yield* stage(() => answer)
      const invalid = { _tag: "Refused", code: "audio_invalid" } as const
      assert.deepStrictEqual(yield* provider.transcribe(key, recording), invalid)
      answer = errorOf(413, {})
      assert.deepStrictEqual(yield* provider.transcribe(key, recording), invalid)
      const sent = received.length
      const audio = new Uint8Array(25 * 1024 * 1024 + 1)
      assert.deepStrictEqual(yield* provider.transcribe(key, { ...recording, audio }), invalid)
      assert.strictEqual(received.length, sent)
      answer = { body: { language: "english", duration: 1, text: "a\u0000b\ud800" } }
      const written = yield* provider.transcribe(key, recording)
      assert.strictEqual(written._tag === "Written" && written.text, "a\ufffdb\ufffd", "a database can store it")
      answer = { body: { nothing: "readable" } }
      assert.deepStrictEqual(yield* provider.transcribe(key, recording), { _tag: "Failed", retry_after_ms: null })
    }).pipe(Effect.scoped)
  )
})

it.effect("the official client opens no socket but through the outbound stack", () =>
  Effect.gen(function* () {
    const outward = memoryCalls(({ url }) =>
      url.target.path.endsWith("speech") ? oggOpus : { language: "english", duration: 1, text: "Hi." }
    )
    const provider = yield* Effect.provide(makeOpenAi({ url: operatorUrl("https://api.openai.com") }), outward.layer)
    const opened = yield* watchedSockets
    assert.strictEqual((yield* provider.speak(key, speech))._tag, "Spoken")
    assert.strictEqual((yield* provider.transcribe(key, recording))._tag, "Written")
    assert.deepStrictEqual(
      outward.calls.map(({ method, url }) => `${method} ${url.target.origin}${url.target.path}`),
      ["POST https://api.openai.com/v1/audio/speech", "POST https://api.openai.com/v1/audio/transcriptions"]
    )
    assert.deepStrictEqual(opened, { sockets: 0, fetches: 0 })
  }).pipe(Effect.scoped)
)
