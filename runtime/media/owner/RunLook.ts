import { createHash } from "node:crypto"
import { ConnectedMedia } from "@carteiro/provider/MediaProvider.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import { Clock, Effect, Stream } from "effect"
import { Blobs } from "../blob/Blobs.ts"
import { type MediaJob, retryAt } from "../job/MediaJob.ts"
import { endJob, postponeJob } from "../job/MediaJobRepo.ts"
import type { LookInput } from "../job/SendMedia.ts"
import { makeFetchLink } from "./FetchLink.ts"
import { outcome, type RunJob } from "./JobOutcome.ts"

/**
 * Determines the content of a link or of a provider's file, which a decision needs before the send. gaps-2 C "Verified
 * media hash"
 */
export const makeRunLook = Effect.gen(function* () {
  const fetchLink = yield* makeFetchLink
  const blobs = yield* Blobs
  const connected = yield* ConnectedMedia

  const look = Effect.fnUntraced(function* (job: MediaJob, { business_id, channel, of }: LookInput) {
    if ("link" in of) {
      const now = yield* Clock.currentTimeMillis
      const { kind = "document", link } = of
      const { bytes } = yield* fetchLink(
        { environment_id: job.environment_id, id: "links", now, kind, filename: null },
        link
      )
      yield* blobs.discard(bytes.blob_key)
      return bytes.sha256
    }
    const provider = yield* connected({ environment_id: job.environment_id, channel, business_id })
    const found = provider && (yield* provider.find(of.id))
    if (found?._tag !== "Done") return yield* Effect.fail({ isPassing: found?._tag !== "Refused" })
    if (found.value.sha256 !== null) return found.value.sha256
    const opened = yield* found.value.open
    if (opened._tag !== "Done") return yield* Effect.fail({ isPassing: true })
    const hash = createHash("sha256")
    const hashed = Stream.runForEach(opened.value, (chunk) => Effect.sync(() => void hash.update(chunk)))
    yield* Effect.mapError(hashed, () => ({ isPassing: true }))
    return hash.digest("hex")
  }, Effect.scoped)

  const run: RunJob<"look"> = Effect.fnUntraced(function* (job) {
    const found = yield* Effect.result(look(job, readJson(job.input)))
    const at = yield* Clock.currentTimeMillis
    if (found._tag === "Success") {
      return outcome([endJob(job, at, { sha256: found.success })])
    }
    const due_at = found.failure.isPassing ? retryAt("send", job.attempts, at) : undefined
    return due_at === undefined
      ? outcome([endJob(job, at, { sha256: null })])
      : outcome([postponeJob(job, due_at)], due_at)
  })
  return run
})
