import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../support/ApiTest.ts"
import { seedMedia } from "../support/Media.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { told } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { eventsOf } from "./Events.ts"
import { files, upload } from "./Files.ts"

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Transcriptions", (it) => {
  it.effect(
    'the sandbox returns a fixed text after a second, and raises its event M-EVT-05 M-EVT-11 gaps-2 F "Transcription"',
    () =>
      Effect.gen(function* () {
        const { acme, get, post } = yield* Api
        const { sandbox } = yield* seedProject(acme.organization_id, "written")
        const { key } = sandbox
        const { asset_id } = yield* seedMedia(sandbox)
        const path = `/v1/media/${asset_id}/transcriptions`
        const begun = yield* post(path, { language: "pt_BR" }, { key })
        assert.strictEqual(begun.status, 202, begun.text)
        const { id, trace_id, ...rest } = begun.body
        assert.match(id, /^mtr_/)
        assert.deepStrictEqual(rest, {
          object: "media_transcription",
          media_asset_id: asset_id,
          status: "queued",
          text: null,
          language: "pt_BR",
          duration_seconds: null,
          provider: "speechprov1",
          model: null,
          error_code: null,
          created_at: "2026-01-01T00:00:00.000Z",
          completed_at: null
        })
        assert.deepStrictEqual(told(yield* post(path, {}, { key })), [409, "transcription_in_progress", undefined])
        yield* turnBy(1000)
        const done = yield* get(`${path}/${id}`, { key })
        const expected = {
          ...rest,
          status: "succeeded",
          text: "This is a sandbox transcription.",
          duration_seconds: 1,
          model: "sandbox",
          completed_at: "2026-01-01T00:00:01.000Z"
        }
        assert.deepStrictEqual(done.body, { id, trace_id, ...expected })
        const listed = yield* get(path, { key })
        assert.deepStrictEqual(listed.body.data[0], done.body)
        const [event] = yield* eventsOf(sandbox.id)
        assert.deepStrictEqual(
          [event?.type, event?.data],
          [
            "message.media_transcribed",
            {
              media_asset_id: asset_id,
              provider: "speechprov1",
              text: expected.text,
              language: "pt_BR",
              duration: 1,
              duration_seconds: 1,
              model: "sandbox",
              sender: { profile_name: null }
            }
          ]
        )
        assert.strictEqual((yield* post(path, {}, { key })).status, 202)
      })
  )

  it.effect(
    "only ready audio of the caller's environment is transcribed, in production only with a vendor's key M-ERR-02",
    () =>
      Effect.gen(function* () {
        const { acme, delete: remove, post } = yield* Api
        const { key } = acme.sandbox
        const image = yield* upload(key, files.png, "image/png")
        const begin = (id: string, body: unknown = {}, by = key) =>
          post(`/v1/media/${id}/transcriptions`, body, { key: by })
        assert.deepStrictEqual(told(yield* begin(image.id)), [400, "transcription_media_unsupported", "asset_id"])
        const audio = yield* upload(key, files.ogg, "audio/ogg")
        assert.deepStrictEqual(told(yield* begin(audio.id, {}, acme.production.key)), [
          404,
          "media_asset_not_found",
          undefined
        ])
        for (const [body, param] of [
          [{ language: "x" }, "language"],
          [{ language: "pt_BR_utf8" }, "language"],
          [{ provider: "speechprov2" }, "provider"],
          [{ surplus: 1 }, "surplus"]
        ] as const) {
          assert.deepStrictEqual(told(yield* begin(audio.id, body)), [400, "invalid_media_request", param])
        }
        const wrong = yield* upload(key, files.png, "audio/ogg")
        assert.deepStrictEqual(told(yield* begin(wrong.id)), [409, "media_asset_not_ready", undefined])
        yield* remove(`/v1/media/${audio.id}`, { key })
        assert.deepStrictEqual(told(yield* begin(audio.id)), [404, "media_asset_not_found", undefined])
        const live = yield* upload(acme.production.key, files.ogg, "audio/ogg")
        const unset = yield* begin(live.id, {}, acme.production.key)
        assert.deepStrictEqual(told(unset), [409, "transcription_provider_not_configured", undefined])
      })
  )
})
