import { type SpeechAnswer, SpeechProviders } from "@carteiro/provider/SpeechProvider.ts"
import { speechAsset } from "@carteiro/schema/media/MediaAsset.ts"
import { Clock, Effect, Stream } from "effect"
import { AssetRepo } from "../asset/AssetRepo.ts"
import { made } from "../asset/AssetState.ts"
import { isVoiceType, mostBytes } from "../asset/MediaTypes.ts"
import { sandboxClip } from "../asset/SandboxFiles.ts"
import { Blobs } from "../blob/Blobs.ts"
import type { MediaJob } from "../job/MediaJob.ts"
import type { SendSource } from "../job/SendMedia.ts"
import { SpeechCredentials } from "../speech/SpeechCredentials.ts"
import { NotReady, notReady } from "./JobOutcome.ts"

type SpeechSource = Extract<SendSource, { readonly tts: unknown }>["tts"]

const spoken = (): SpeechAnswer => ({ _tag: "Spoken", mime_type: sandboxClip.mime_type, audio: sandboxClip.bytes() })

/** Has a text rendered as speech, into an asset that only its message may use. gaps-2 F "TTS" */
export const makeRender = Effect.gen(function* () {
  const credentials = yield* SpeechCredentials
  const providers = yield* SpeechProviders
  const assets = yield* AssetRepo
  const blobs = yield* Blobs

  const speak = Effect.fnUntraced(function* (job: MediaJob, source: SpeechSource): Effect.fn.Return<SpeechAnswer> {
    if (job.environment === "sandbox") return spoken()
    const provider = providers[source.provider]
    const key = yield* credentials.find(job.environment_id, source.provider)
    if (provider === undefined || key === undefined) return { _tag: "Refused", code: "credentials_invalid" }
    const { language, text, voice } = source
    return yield* provider.speak(key, { external_id: job.id, text, voice, language })
  })

  return Effect.fnUntraced(function* (job: MediaJob, source: SpeechSource) {
    const answer = yield* speak(job, source)
    if (answer._tag === "Refused") return yield* notReady("tts_provider_error")
    if (answer._tag === "Failed") {
      return yield* new NotReady({ code: "tts_provider_error", retries: "speech", afterMs: answer.retry_after_ms })
    }
    const { audio, mime_type } = answer
    const unusable = audio.length === 0 || audio.length > mostBytes("audio") || !isVoiceType(mime_type)
    if (unusable) return yield* notReady("tts_render_failed")
    const { customer_key, customer_type, environment, environment_id, trace_id } = job
    const now = yield* Clock.currentTimeMillis
    const id = speechAsset(job.id)
    const stored = yield* Effect.mapError(
      blobs.store({ environment_id, id, mime_type, now }, Stream.make(audio)),
      () => new NotReady({ code: "media_asset_resolution_failed", retries: "send", afterMs: null })
    )
    if (stored.contradicted) {
      yield* blobs.discard(stored.blob_key)
      return yield* notReady("tts_render_failed")
    }
    const asset = made(
      {
        environment_id,
        id,
        environment,
        kind: "audio",
        filename: "speech.ogg",
        mime_type,
        byte_length: stored.byte_length,
        trace_id,
        provider: source.provider,
        held_by: job.id,
        customer_type,
        customer_key
      },
      stored,
      now
    )
    return {
      ...stored,
      asset_id: id,
      mime_type,
      filename: asset.filename,
      rows: assets.insert(asset),
      isPassing: false,
      isLibrary: false
    }
  })
})
