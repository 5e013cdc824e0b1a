import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { defineInsert, defineUpdate, rowOf } from "@carteiro/tables/TableWrite.ts"
import { ownersOfTenant, walkOwners } from "@carteiro/tables/WalkOwners.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { StoredAsset } from "../asset/AssetState.ts"
import type { MediaJob, NewJob } from "./MediaJob.ts"

/** A job that is looked up by whoever waits for it. */
export interface FoundJob {
  readonly id: string
  /** JSON text; null while it is not done. */
  readonly result: string | null
  /** Epoch milliseconds. */
  readonly done_at: number | null
}

/** Rows of `media_jobs`. Architecture, section 2 "Volatile messages, durable rows" */
export class MediaJobRepo extends Context.Service<
  MediaJobRepo,
  {
    /** Due at `now`, the longest first, and when the next is. */
    due(
      environmentId: string,
      now: number,
      limit: number
    ): Effect.Effect<{ readonly jobs: ReadonlyArray<MediaJob>; readonly next: number | undefined }>
    results(environmentId: string, ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<FoundJob>>
    /** Environments with a job due, for the sweeper; see `DueOwners`. */
    dueEnvironments: DueOwners["due"]
  }
>()("@carteiro/runtime/media/job/MediaJobRepo") {
  static readonly layer = Layer.effect(
    MediaJobRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      MediaJobRepo.of({
        due: (environmentId, now, limit) =>
          Effect.zipWith(
            many(sql<MediaJob>`select environment_id, id, kind, environment, input, attempts, due_at, trace_id, created_at,
                customer_type, customer_key
              from media_jobs where environment_id = ${environmentId} and due_at <= ${instant(now)}
              order by due_at, id limit ${limit}`),
            one(sql<{ readonly due_at: number }>`select due_at from media_jobs
              where environment_id = ${environmentId} and due_at > ${instant(now)} order by due_at limit 1`),
            (jobs, next) => ({ jobs, next: next?.due_at })
          ),
        results: (environmentId, ids) =>
          many(
            sql.unsafe<FoundJob>(
              `select j.id, j.result, j.done_at from unnest($2::text[]) as k(id) cross join lateral (
                select * from media_jobs m where m.environment_id = $1 and m.id = k.id limit 1) j`,
              [environmentId, arrayParameter("text", ids)]
            )
          ),
        dueEnvironments: walkOwners(waitingJobs)
      })
    )
  )
}

const waitingJobs = "select environment_id as owner, due_at from media_jobs where due_at is not null"

/** When a job of an environment is due first, on the environment's clock. */
export const jobsOfTenant = ownersOfTenant("select $1::text as id", waitingJobs)

const key = { environment_id: "text", id: "text" } as const
const jobTarget = rowOf("media_jobs", "environment_id", "id")

const insertJob = defineInsert({
  table: "media_jobs",
  columns: {
    ...key,
    kind: "text",
    environment: "text",
    input: "text",
    due_at: "timestamptz",
    trace_id: "text",
    created_at: "timestamptz",
    customer_type: "text",
    customer_key: "text"
  },
  conflict: { on: ["environment_id", "id"] }
})

/** A job whose result is too old to count is done once more. */
const renewJob = defineInsert({
  name: "media_jobs.renew",
  table: "media_jobs",
  columns: {
    ...key,
    kind: "text",
    environment: "text",
    input: "text",
    due_at: "timestamptz",
    trace_id: "text",
    created_at: "timestamptz",
    attempts: "int4",
    result: "text",
    done_at: "timestamptz"
  },
  conflict: {
    on: ["environment_id", "id"],
    update: ["input", "due_at", "trace_id", "created_at", "attempts", "result", "done_at"]
  },
  target: jobTarget
})

const moveJob = defineUpdate({
  name: "media_jobs.move",
  table: "media_jobs",
  key,
  set: { input: "text", attempts: "int4", due_at: "timestamptz", result: "text", done_at: "timestamptz" },
  beside: { from_attempts: "int4" },
  guard: "t.due_at is not null and t.attempts = r.from_attempts",
  target: jobTarget
})

/** A new job, due at once unless said otherwise; one that is there already stays as it is. */
export const beginJob = ({ customer, ...job }: NewJob): Row =>
  insertJob.row({ ...job, customer_type: customer?.type ?? null, customer_key: customer?.key ?? null })

/** A job that is done once more though its result is there. */
export const repeatJob = (job: Omit<NewJob, "customer">): Row =>
  renewJob.row({ ...job, attempts: 0, result: null, done_at: null })

/** It goes on later; refused when somebody else moved it since it was read. */
export const postponeJob = (job: MediaJob, due_at: number, input: string = job.input): Row =>
  moveJob.row({
    ...job,
    input,
    due_at,
    attempts: job.attempts + 1,
    from_attempts: job.attempts,
    result: null,
    done_at: null
  })

/**
 * It is done; refused when somebody else moved it since it was read. What it was about goes: nobody does it again, and
 * texts and names of customers stay nowhere longer than they are needed. gaps-2 I "Erasure"
 */
export const endJob = (job: MediaJob, result: string, at: number): Row =>
  moveJob.row({
    ...job,
    input: "{}",
    due_at: null,
    attempts: job.attempts + 1,
    from_attempts: job.attempts,
    result,
    done_at: at
  })

/** What a job that discards is about. */
export interface DiscardInput {
  readonly blob_key: string
}

/** Has the bytes removed that an asset loses by a change. */
export const discardOf = (before: StoredAsset, after: StoredAsset, at: number): ReadonlyArray<Row> =>
  before.blob_key === null || before.blob_key === after.blob_key
    ? []
    : [
        beginJob({
          environment_id: before.environment_id,
          id: `discard_${before.blob_key}`,
          kind: "discard",
          environment: before.environment,
          input: JSON.stringify({ blob_key: before.blob_key } satisfies DiscardInput),
          due_at: at,
          trace_id: before.trace_id,
          created_at: at
        })
      ]
