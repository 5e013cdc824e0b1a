import { Commit } from "@carteiro/owners/Commit.ts"
import { SpeechCredentials } from "@carteiro/runtime/media/Media.ts"
import type { SpeechprovSimulator } from "@carteiro/simulators/speechprov/Simulator.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { files, upload } from "../media/Files.ts"
import { simulatedSpeechprov, speechKey } from "../support/Speechprov.ts"
import { until } from "../support/Until.ts"
import { UpstreamProduct, upstreamStage } from "../support/Upstream.ts"

/** The vendors that the product under test talks to. */
class Speechprovs extends Context.Service<
  Speechprovs,
  readonly [SpeechprovSimulator, SpeechprovSimulator, SpeechprovSimulator]
>()("@carteiro/test/scenarios/Speechprovs") {}

const product = Layer.unwrap(
  Effect.map(Effect.all([simulatedSpeechprov(1), simulatedSpeechprov(2), simulatedSpeechprov(3)]), (simulators) =>
    UpstreamProduct({
      settings: {
        CARTEIRO_SPEECHPROV1_DRIVER: "bridge",
        CARTEIRO_SPEECHPROV1_API_BASE_URL: simulators[0].url,
        CARTEIRO_SPEECHPROV2_DRIVER: "bridge",
        CARTEIRO_SPEECHPROV2_API_BASE_URL: simulators[1].url,
        CARTEIRO_SPEECHPROV3_API_BASE_URL: simulators[2].url
      }
    }).pipe(Layer.provideMerge(Layer.succeed(Speechprovs, simulators)))
  )
)

const vendors = ["speechprov1", "speechprov2", "speechprov3"] as const

/** A production number whose customer wrote, in an environment that has a key at every vendor. */
const stage = Effect.gen(function* () {
  const simulators = yield* Speechprovs
  const upstream = yield* upstreamStage
  const { acme } = upstream.api
  const credentials = yield* SpeechCredentials
  const now = yield* Clock.currentTimeMillis
  const keys = vendors.map((vendor) => credentials.keep(acme.production.id, vendor, speechKey, now))
  yield* Effect.orDie((yield* Commit).write(keys))
  yield* upstream.hear()
  const say = (provider: string, more: object = {}) => {
    const source = { type: "tts", provider, text: "Seu pedido saiu.", voice: "ana", language: "pt-BR", ...more }
    return upstream.send({ type: "media", media: { kind: "audio", voice: true, source } })
  }
  const transcribed = Effect.fnUntraced(function* () {
    const { id } = yield* upload(upstream.key, files.ogg, "audio/ogg", { lifecycle: "library" })
    const path = `/v1/media/${id}/transcriptions`
    const begun = yield* upstream.api.post(path, { language: "pt-BR" }, { key: upstream.key })
    assert.strictEqual(begun.status, 202, begun.text)
    const read = upstream.api.get(`${path}/${begun.body.id}`, { key: upstream.key })
    yield* until(Effect.map(read, ({ body }) => body.completed_at !== null))
    return (yield* read).body
  })
  return { ...upstream, simulators, say, transcribed }
})

it.layer(product, { excludeTestServices: true })("Speech in production", (it) => {
  it.effect(
    'a text is spoken by each vendor, stored as a file of its message alone, and leaves M-MSG-46 M-MSG-47 gaps-2 F "TTS"',
    () =>
      Effect.gen(function* () {
        const { api, key, reaches, read, say, simulator, simulators } = yield* stage
        for (const [at, vendor] of vendors.entries()) {
          const sent = yield* say(vendor)
          assert.strictEqual(sent.status, 202, sent.text)
          yield* reaches(sent.body.id, "read", "failed")
          const message = yield* read(sent.body.id)
          assert.deepStrictEqual([message.status, message.error_code], ["read", null], vendor)
          const { data } = (yield* api.get("/v1/media?status=consumed", { key })).body
          const asset = data.find((one: { readonly provider: string | null }) => one.provider === vendor)
          assert.deepStrictEqual(
            [asset.mime_type, asset.lifecycle, asset.status, asset.provider, asset.consumed_by_message_id],
            ["audio/ogg", "single_use", "consumed", vendor, message.id]
          )
          assert.deepStrictEqual(
            simulator.log.read(0, "upload").map(({ bytes, outcome, type }) => [bytes, outcome, type])[at],
            [asset.byte_length, "accepted", "audio/ogg"]
          )
          const [spoken] = simulators[at]?.log.read(0, "speech") ?? []
          assert.deepInclude(spoken, { text: "Seu pedido saiu.", voice: "ana", language: "pt-BR", outcome: "accepted" })
        }
      })
  )

  it.effect("a refusal by the vendor, and invalid audio, each have their delivery code M-DLV-13", () =>
    Effect.gen(function* () {
      const { reaches, read, say, simulators } = yield* stage
      const [first, second, third] = simulators
      const failsWith = Effect.fnUntraced(function* (code: string, sent: { readonly body: { readonly id: string } }) {
        yield* reaches(sent.body.id, "read", "failed")
        const message = yield* read(sent.body.id)
        assert.deepStrictEqual([message.status, message.error_code], ["failed", code])
        assert.deepInclude(message.media, {
          asset_id: null,
          status: "failed",
          failure: { code, message: message.error_message },
          download: null
        })
      })
      const asked = first.log.read(0, "speech").length
      yield* failsWith("tts_provider_error", yield* say("speechprov1", { voice: "unknown" }))
      // A refusal is certain: nobody asks again.
      assert.lengthOf(first.log.read(0, "speech"), asked + 1)
      for (const name of ["wrong_bytes", "wrong_type", "empty_audio"]) {
        for (const [at, simulator] of [first, second, third].entries()) {
          simulator.faults.set([{ name, operation: "speech", times: 1 }], 1)
          yield* failsWith("tts_render_failed", yield* say(vendors[at] ?? ""))
        }
      }
    })
  )

  it.effect('a recording is written down, or it is said why not M-EVT-05 M-EVT-07 gaps-2 F "Transcription"', () =>
    Effect.gen(function* () {
      const { simulators, sql, transcribed } = yield* stage
      const [{ faults, log }] = simulators
      const done = yield* transcribed()
      assert.deepInclude(done, {
        status: "succeeded",
        text: "Texto simulado.",
        language: "pt-BR",
        duration_seconds: 1,
        provider: "speechprov1",
        model: "speechprov1-sim",
        error_code: null
      })
      assert.strictEqual(log.read(0, "transcriptions").at(-1)?.external_id, done.id)
      for (const [name, code] of [
        ["audio_invalid", "transcription_audio_invalid"],
        ["late_failure", "transcription_audio_invalid"],
        ["credentials_invalid", "transcription_provider_error"]
      ] as const) {
        faults.set([{ name, operation: "transcriptions", times: 1 }], 1)
        const failed = yield* transcribed()
        assert.deepStrictEqual([failed.status, failed.error_code, failed.text], ["failed", code, null], name)
        const [event] = yield* sql<{ readonly type: string; readonly envelope: string }>`select type, envelope
          from outbox_events where source_id = ${failed.media_asset_id}`
        assert.strictEqual(event?.type, "message.media_transcription_failed")
        assert.deepInclude(JSON.parse(event?.envelope ?? "{}").data, {
          media_asset_id: failed.media_asset_id,
          error_code: code
        })
      }
    })
  )
})
