import { makeOwnerQueues, type QueueKind, type QueueRow, QueueRows } from "@carteiro/owners/Queue.ts"
import type { Queued } from "@carteiro/owners/Worker.ts"
import { Effect } from "effect"
import { type MediaJob, type MediaJobKind, mediaOwner } from "../job/MediaJob.ts"
import { MediaJobRepo, postponeJob } from "../job/MediaJobRepo.ts"
import { type JobOutcome, outcome, type RunJob } from "./JobOutcome.ts"
import { makeRunCapture } from "./RunCapture.ts"
import { makeRunLook } from "./RunLook.ts"
import { makeRunSend } from "./RunSend.ts"
import { makeRunTranscription } from "./RunTranscription.ts"
import { makeRunDiscard, makeRunSweep } from "./RunUpkeep.ts"

/** A job that is due. */
interface QueuedJob extends QueueRow {
  readonly job: MediaJob
}

/** The most jobs of one environment that run concurrently. */
const parallelJobs = 8

/** The bytes that a job may hold in memory: a streamed file needs little, a recording is passed on whole. */
const heldBytes: { readonly [K in MediaJobKind]: number } = {
  capture: 1_048_576,
  send: 2_097_152,
  look: 1_048_576,
  transcribe: 16_777_216,
  discard: 0,
  sweep: 65_536
}

/**
 * The queue of media jobs. It reserves no job: a job without a result is due again, and repeats its external calls
 * under the same idempotency keys.
 */
const mediaKind = Effect.gen(function* () {
  const repo = yield* MediaJobRepo
  const runs: { readonly [K in MediaJobKind]: RunJob<K> } = {
    capture: yield* makeRunCapture,
    send: yield* makeRunSend,
    look: yield* makeRunLook,
    transcribe: yield* makeRunTranscription,
    discard: yield* makeRunDiscard,
    sweep: yield* makeRunSweep
  }
  const run = <K extends MediaJobKind>(job: MediaJob<K>) => runs[job.kind](job)
  const kind: QueueKind<Queued<undefined, QueuedJob, JobOutcome>, undefined, QueuedJob, JobOutcome> = {
    ahead: 16,
    writeAtOnce: 64,
    retryMs: 1000,
    drainMs: 3000,
    callMs: 5 * 60_000,
    makeRows: () => new QueueRows(parallelJobs),
    terms: () => undefined,
    destination: () => "media",
    read: (_state, owner, { rows }) =>
      Effect.map(repo.due(owner.id, owner.now(), rows), ({ jobs, next }) => ({
        next,
        rows: jobs.map((job) => ({ id: job.id, bytes: heldBytes[job.kind], job }))
      })),
    call: ({ job }) => run(job),
    trace: ({ job: { environment_id, id, kind, trace_id } }, _state, owner) => ({
      name: `${kind} media`,
      traceId: trace_id,
      attributes: {
        "carteiro.environment_id": environment_id,
        "carteiro.owner.type": mediaOwner,
        "carteiro.owner.id": owner.id,
        "carteiro.job_id": id
      }
    }),
    broken: ({ job }) => outcome([postponeJob(job, job.due_at + brokenMs)], job.due_at + brokenMs),
    end: Effect.fnUntraced(function* (batch, _state, owner) {
      const { statuses } = yield* owner.record(batch.map(({ result }) => ({ rows: result.rows })))
      let isWhole = true
      for (const [n, { result }] of batch.entries()) {
        const isWritten = statuses[n] === "committed" && result.rows.length > 0
        yield* isWritten ? result.written : result.refused
        isWhole &&= isWritten
        if (isWritten && result.due_at !== undefined) owner.dueAt(result.due_at)
      }
      // A job whose outcome was not written is still due; the queue takes it again after the pause.
      return isWhole
    })
  }
  return kind
})

/** The pause after a job that failed unexpectedly or took too long, in milliseconds. */
const brokenMs = 60_000
/** Makes the media queue of an environment, for its owner. */
export const makeMediaQueues = Effect.flatMap(mediaKind, makeOwnerQueues)
