import { type OperationReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Activations } from "@carteiro/owners/Owner.ts"
import {
  MediaAssetNotFound,
  MediaAssetNotReady,
  TranscriptionInProgress,
  TranscriptionMediaUnsupported,
  TranscriptionProviderNotConfigured
} from "@carteiro/schema/media/MediaErrors.ts"
import type { CreateTranscription } from "@carteiro/schema/media/Transcription.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import type { ApiCall } from "../../tenancy/ApiCall.ts"
import { type StoredAsset, statusAt } from "../asset/AssetState.ts"
import { mediaOwner } from "../job/MediaJob.ts"
import { beginJob } from "../job/MediaJobRepo.ts"
import { SpeechCredentials } from "./SpeechCredentials.ts"
import { beginTranscription, hasBegun, readTranscription, type StoredTranscription } from "./TranscriptionRepo.ts"

/** The duration of a transcription in the sandbox, in milliseconds. gaps-2 F "Transcription" */
const sandboxMs = 1000

/** Starts transcriptions, which the owner of the environment's media runs. */
export class Transcriptions extends Context.Service<
  Transcriptions,
  {
    begin(
      call: ApiCall<"environment_id" | "environment">,
      asset: StoredAsset | undefined,
      body: CreateTranscription
    ): OperationReply
  }
>()("@carteiro/runtime/media/speech/Transcriptions") {
  static readonly layer = Layer.effect(
    Transcriptions,
    Effect.gen(function* () {
      const commit = yield* Commit
      const credentials = yield* SpeechCredentials
      const activations = yield* Activations
      const ids = yield* Ids
      return Transcriptions.of({
        begin: Effect.fnUntraced(function* (call, asset, body) {
          const { environment, environment_id } = call.caller
          const { now, traceId: trace_id } = call
          const status = asset && statusAt(asset, now)
          if (asset === undefined || status === "deleted") return yield* new MediaAssetNotFound()
          if (asset.kind !== "audio") return yield* new TranscriptionMediaUnsupported({ param: "asset_id" })
          if (status !== "ready" && status !== "consumed") return yield* new MediaAssetNotReady()
          const provider = body.provider ?? "speechprov1"
          const isConfigured = environment === "sandbox" || (yield* credentials.has(environment_id, provider))
          const transcription: StoredTranscription = {
            environment_id,
            id: ids.mint("mtr", now),
            asset_id: asset.id,
            status: "queued",
            text: null,
            language: body.language ?? null,
            duration_seconds: null,
            provider,
            model: null,
            error_code: null,
            trace_id,
            created_at: now,
            completed_at: null
          }
          const due_at = environment === "sandbox" ? now + sandboxMs : now
          const answer = reply(call, 202, readTranscription(transcription))
          const job = beginJob({
            environment_id,
            id: transcription.id,
            kind: "transcribe",
            environment,
            input: jsonText({ asset_id: asset.id, language: transcription.language, vendor_id: null }),
            due_at,
            trace_id,
            created_at: now
          })
          if (!isConfigured) return yield* new TranscriptionProviderNotConfigured()
          const keys = yield* commit.write([beginTranscription(transcription), job], {
            claim: call.claim,
            response: answer
          })
          if (!hasBegun(keys, transcription.id)) return yield* new TranscriptionInProgress()
          activations.wake(mediaOwner, environment_id)
          return answer
        })
      })
    })
  )
}
