import { Commit } from "@carteiro/owners/Commit.ts"
import { UpstreamPlatform } from "@carteiro/provider/ChatPlatform.ts"
import { type SpeechAnswer, SpeechProviders, type TranscriptionAnswer } from "@carteiro/provider/SpeechProvider.ts"
import { SpeechCredentials } from "@carteiro/runtime/media/Media.ts"
import { numberChanges } from "@carteiro/runtime/phone-numbers/PhoneNumbers.ts"
import { DemoConnection } from "@carteiro/runtime/provider-connections/ProviderConnections.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { hear } from "../messages/Sending.ts"
import { Api } from "../support/ApiTest.ts"
import { connectionOf, notSent } from "../support/Chat.ts"
import { oggOpus } from "../support/Media.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { files, upload } from "./Files.ts"

/** A vendor that gives each test's responses, and records the id and time of each request. */
const speeches: Array<SpeechAnswer> = []
const transcriptions: Array<TranscriptionAnswer> = []
const asked: Array<readonly [what: string, id: string, at: number]> = []

const lost = { _tag: "Failed", retry_after_ms: null } as const
const spoken: SpeechAnswer = { _tag: "Spoken", mime_type: "audio/ogg", audio: oggOpus }

const ask = <A>(what: string, id: string, answers: Array<A>, otherwise: A) =>
  Effect.map(Clock.currentTimeMillis, (at) => {
    asked.push([what, id, at])
    return answers.shift() ?? otherwise
  })

const vendors = Layer.succeed(SpeechProviders, {
  speechprov1: {
    speak: (_key, { external_id }) => ask("speak", external_id, speeches, spoken),
    transcribe: (_key, { external_id }) => ask("transcribe", external_id, transcriptions, lost),
    transcription: (_key, id) => ask("transcription", id, transcriptions, { _tag: "Processing", id } as const)
  }
})

/** A chat platform that these tests never call. */
const platform = Layer.succeed(UpstreamPlatform, {
  chat: () => connectionOf(() => Effect.succeed(notSent)).provider,
  media: () => ({ upload: () => Effect.succeed(never), find: () => Effect.succeed(never) }),
  health: () => ({ read: Effect.succeed(never) }),
  templates: () => assert.fail("nobody asks for templates"),
  flows: () => assert.fail("nobody asks for flows"),
  registrar: () => assert.fail("nobody asks for numbers"),
  groups: () => assert.fail("nobody asks for groups")
})

const never = { _tag: "Failed", error: null } as const

/** Connects an account to the number. */
const connect = Effect.fnUntraced(function* (environment_id: string, id: string, slug: string, now: number) {
  const covered = { environment_id, biz_account_id: slug, upstream_phone_number_id: slug }
  yield* Effect.orDie((yield* Commit).write([numberChanges.cover({ ...covered, id, updated_at: now })]))
  const account = { environment_id, biz_account_id: slug, phone_number_id: slug, display_phone_number: null }
  yield* (yield* DemoConnection).connect({ ...account, token: "token" }, now)
})

/** A production environment with a number to which a customer wrote; `hasKey` gives it a key at the vendor. */
const stage = Effect.fnUntraced(function* (slug: string, hasKey = true) {
  speeches.length = 0
  transcriptions.length = 0
  asked.length = 0
  const { acme, get, post } = yield* Api
  const { production } = yield* seedProject(acme.organization_id, slug)
  const { key } = production
  const now = yield* Clock.currentTimeMillis
  if (hasKey) {
    const row = (yield* SpeechCredentials).keep(production.id, "speechprov1", "key", now)
    yield* Effect.orDie((yield* Commit).write([row]))
  }
  const number = yield* seedNumber(production)
  yield* connect(production.id, number.id, slug, now)
  const customer = "+5511912345678"
  yield* hear(number, { provider: "upstream", provider_message_id: `wamid.${slug}` })
  const say = Effect.fnUntraced(function* () {
    const source = { type: "tts", provider: "speechprov1", text: "Olá", voice: "ana", language: "pt-BR" }
    const sent = yield* post(
      "/v1/messages",
      {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: number.id },
        recipient: { type: "phone_e164", id: customer },
        message: { type: "media", media: { kind: "audio", voice: true, source } }
      },
      { key }
    )
    assert.strictEqual(sent.status, 202, sent.text)
    return sent.body.id as string
  })
  const failure = (id: string) =>
    Effect.map(get(`/v1/messages/${id}`, { key }), ({ body }) => [body.status, body.error_code])
  const transcribe = Effect.fnUntraced(function* () {
    const { id } = yield* upload(key, files.ogg, "audio/ogg", { lifecycle: "library" })
    const path = `/v1/media/${id}/transcriptions`
    const begun = yield* post(path, {}, { key })
    assert.strictEqual(begun.status, 202, begun.text)
    return Effect.map(get(`${path}/${begun.body.id}`, { key }), ({ body }) => body)
  })
  const askedSince = (what: string) =>
    asked.filter(([kind]) => kind === what).map(([, id, at]) => [id, at - now] as const)
  return { askedSince, failure, now, say, transcribe }
})

it.layer(WholeProduct({ sweeps: false, vendors: Layer.merge(vendors, platform) }), { excludeTestServices: true })(
  "Speech that fails",
  (it) => {
    it.effect('is requested three times under one id, and then the message fails M-DLV-13 gaps-2 F "TTS"', () =>
      Effect.gen(function* () {
        const { askedSince, failure, say } = yield* stage("thrice")
        speeches.push(lost, { _tag: "Failed", retry_after_ms: 30_000 }, lost)
        const id = yield* say()
        yield* turnBy(60_000)
        assert.deepStrictEqual(yield* failure(id), ["failed", "tts_provider_error"])
        assert.deepStrictEqual(askedSince("speak"), [
          [id, 0],
          [id, 2000],
          [id, 32_000]
        ])
      })
    )

    it.effect("fails its message at once on a refusal and on a missing key M-DLV-13", () =>
      Effect.gen(function* () {
        const refused = yield* stage("refused")
        speeches.push({ _tag: "Refused", code: "voice_unknown" })
        const id = yield* refused.say()
        yield* turnBy(1000)
        assert.deepStrictEqual(yield* refused.failure(id), ["failed", "tts_provider_error"])
        assert.deepStrictEqual(refused.askedSince("speak"), [[id, 0]])
        const keyless = yield* stage("keyless", false)
        const unspoken = yield* keyless.say()
        yield* turnBy(1000)
        assert.deepStrictEqual(yield* keyless.failure(unspoken), ["failed", "tts_provider_error"])
        assert.deepStrictEqual(keyless.askedSince("speak"), [])
      })
    )

    it.effect("is not requested again when the output cannot be sent M-DLV-13", () =>
      Effect.gen(function* () {
        const { askedSince, failure, say } = yield* stage("unusable")
        const outputs: ReadonlyArray<SpeechAnswer> = [
          { _tag: "Spoken", mime_type: "audio/mpeg", audio: oggOpus },
          { _tag: "Spoken", mime_type: "audio/ogg", audio: files.pdf },
          { _tag: "Spoken", mime_type: "audio/ogg", audio: new Uint8Array() },
          { _tag: "Spoken", mime_type: "audio/ogg", audio: new Uint8Array(17 * 1_048_576) }
        ]
        for (const [n, output] of outputs.entries()) {
          speeches.push(output)
          const id = yield* say()
          yield* turnBy(1000)
          assert.deepStrictEqual(yield* failure(id), ["failed", "tts_render_failed"], String(n))
          assert.lengthOf(askedSince("speak"), n + 1)
        }
      })
    )

    it.effect(
      'uploads a recording again while the vendor does not accept it, and gives up after ten minutes gaps-2 F "Transcription"',
      () =>
        Effect.gen(function* () {
          const { askedSince, now, transcribe } = yield* stage("unheard")
          const lostOne = yield* transcribe()
          yield* turnBy(599_000)
          assert.strictEqual((yield* lostOne).status, "queued")
          yield* turnBy(6000)
          const given = yield* lostOne
          assert.deepStrictEqual([given.status, given.error_code], ["failed", "transcription_timeout"])
          const tries = askedSince("transcribe")
          assert.deepStrictEqual(new Set(tries.map(([id]) => id)), new Set([given.id]))
          assert.deepStrictEqual(
            tries.slice(0, 3).map(([, at]) => at),
            [0, 5000, 10_000]
          )
          assert.isAtMost(Date.parse(given.completed_at) - now, 600_000)
        })
    )

    it.effect('polls the vendor until ten minutes are over gaps-2 F "Transcription"', () =>
      Effect.gen(function* () {
        const { askedSince, transcribe } = yield* stage("slow")
        transcriptions.push({ _tag: "Processing", id: "tr_1" })
        const slow = yield* transcribe()
        yield* turnBy(10_000)
        assert.strictEqual((yield* slow).status, "processing")
        assert.deepStrictEqual(askedSince("transcribe").length, 1)
        assert.deepStrictEqual(askedSince("transcription").slice(0, 2), [
          ["tr_1", 2000],
          ["tr_1", 4000]
        ])
        yield* turnBy(600_000)
        const { error_code, status } = yield* slow
        assert.deepStrictEqual([status, error_code], ["failed", "transcription_timeout"])
      })
    )

    it.effect("ends a transcription with the matching code on a definite refusal M-EVT-07", () =>
      Effect.gen(function* () {
        const { transcribe } = yield* stage("refusing")
        for (const [code, expected] of [
          ["audio_invalid", "transcription_audio_invalid"],
          ["credentials_invalid", "transcription_provider_error"],
          ["quota_exceeded", "transcription_provider_error"]
        ] as const) {
          transcriptions.push({ _tag: "Refused", code })
          const refused = yield* transcribe()
          yield* turnBy(10)
          const { error_code, status } = yield* refused
          assert.deepStrictEqual([status, error_code], ["failed", expected])
        }
      })
    )
  }
)
