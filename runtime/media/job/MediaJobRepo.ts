import type { DueOwners } from "@carteiro/owners/DueWork.ts"
import { arrayParameter, instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { readTogether } from "@carteiro/tables/ReadTogether.ts"
import { type JsonText, jsonText } from "@carteiro/tables/StoredJson.ts"
import { insertInto, rowOf, updateOf } from "@carteiro/tables/TableWrite.ts"
import { ownersOfTenant, walkOwners } from "@carteiro/tables/WalkOwners.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { StoredAsset } from "../asset/AssetState.ts"
import type { JobInputs, JobResults, MediaJob, MediaJobKind, NewJob } from "./MediaJob.ts"
import { jobColumns, mediaJobsTable } from "./MediaJobTables.ts"

/** A job whose result another room looks up. */
export interface FoundJob<K extends keyof JobResults> {
  readonly id: string
  /** Null while the job is not done. */
  readonly result: JsonText<JobResults[K]> | null
  /** Epoch milliseconds. */
  readonly done_at: number | null
}

/** Rows of `media_jobs`. */
export class MediaJobRepo extends Context.Service<
  MediaJobRepo,
  {
    /** Returns the jobs that are due at `now`, the longest due first, and when the next job is due. */
    due(
      environmentId: string,
      now: number,
      limit: number
    ): Effect.Effect<{ readonly jobs: ReadonlyArray<MediaJob>; readonly next: number | undefined }>
    /**
     * Returns the results of jobs of one kind, by their ids. Concurrent lookups of many owners are read in one
     * statement.
     */
    results<K extends keyof JobResults>(
      environmentId: string,
      ids: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyArray<FoundJob<K>>>
    /** Returns the environments with a due job, for the sweeper; see `DueOwners`. */
    dueEnvironments: DueOwners["due"]
  }
>()("@carteiro/runtime/media/job/MediaJobRepo") {
  static readonly layer = Layer.effect(
    MediaJobRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const results = yield* readTogether(
        (asks: ReadonlyArray<AskedResults>) =>
          Effect.map(many(sql.unsafe<ResultRow>(resultsSql, askedResults(asks))), (rows) => {
            const found = asks.map((): Array<FoundJob<never>> => [])
            for (const { ask, ...job } of rows) found[ask - 1]?.push(job)
            return found
          }),
        { sizeOf: ({ ids }) => ids.length }
      )
      return MediaJobRepo.of({
        due: (environmentId, now, limit) =>
          Effect.zipWith(
            many(sql<MediaJob>`select ${sql.literal(jobColumns.list)}
              from media_jobs where environment_id = ${environmentId} and due_at <= ${instant(now)}
              order by due_at, id limit ${limit}`),
            one(sql<{ readonly due_at: number }>`select due_at from media_jobs
              where environment_id = ${environmentId} and due_at > ${instant(now)} order by due_at limit 1`),
            (jobs, next) => ({ jobs, next: next?.due_at })
          ),
        results: (environment_id, ids) => results({ environment_id, ids }),
        dueEnvironments: walkOwners(waitingJobs)
      })
    })
  )
}

/** The lookups of job results in one environment. */
interface AskedResults {
  readonly environment_id: string
  readonly ids: ReadonlyArray<string>
}

// Only the caller knows the kind of a job, so the result has no type here.
interface ResultRow extends FoundJob<never> {
  /** The position among the lookups, from 1. */
  readonly ask: number
}

const resultsSql = `select k.ask, j.id, j.result, j.done_at from unnest($1::int4[], $2::text[], $3::text[]) as k(ask, environment_id, id)
  cross join lateral (select * from media_jobs m where m.environment_id = k.environment_id and m.id = k.id limit 1) j`

const askedResults = (asks: ReadonlyArray<AskedResults>): ReadonlyArray<unknown> => [
  arrayParameter(
    "int4",
    asks.flatMap(({ ids }, n) => ids.map(() => n + 1))
  ),
  arrayParameter(
    "text",
    asks.flatMap(({ environment_id, ids }) => ids.map(() => environment_id))
  ),
  arrayParameter(
    "text",
    asks.flatMap(({ ids }) => ids)
  )
]

const waitingJobs = "select environment_id as owner, due_at from media_jobs where due_at is not null"

/** Returns when the first job of an environment is due, on the environment's clock. */
export const jobsOfTenant = ownersOfTenant("select $1::text as id", waitingJobs)

const jobTarget = rowOf("media_jobs", "environment_id", "id")

const insertJob = insertInto(mediaJobsTable, {
  columns: [
    "environment_id",
    "id",
    "kind",
    "environment",
    "input",
    "due_at",
    "trace_id",
    "created_at",
    "customer_type",
    "customer_key"
  ],
  conflict: { on: ["environment_id", "id"] }
})

/** Starts a job again when its result is too old to count. */
const renewJob = insertInto(mediaJobsTable, {
  name: "media_jobs.renew",
  columns: [
    "environment_id",
    "id",
    "kind",
    "environment",
    "input",
    "due_at",
    "trace_id",
    "created_at",
    "attempts",
    "result",
    "done_at"
  ],
  conflict: {
    on: ["environment_id", "id"],
    update: ["input", "due_at", "trace_id", "created_at", "attempts", "result", "done_at"]
  },
  target: jobTarget
})

const moveJob = updateOf(mediaJobsTable, {
  name: "media_jobs.move",
  set: ["input", "attempts", "due_at", "result", "done_at"],
  beside: { from_attempts: "int4" },
  guard: "t.due_at is not null and t.attempts = r.from_attempts"
})

/** Creates a job, due immediately unless given otherwise; an existing job does not change. */
export const beginJob = <K extends MediaJobKind>({ customer, ...job }: NewJob<K>): Row =>
  insertJob.row({ ...job, customer_type: customer?.type ?? null, customer_key: customer?.key ?? null })

/** Starts a job again although it has a result. */
export const repeatJob = <K extends MediaJobKind>(job: Omit<NewJob<K>, "customer">): Row =>
  renewJob.row({ ...job, attempts: 0, result: null, done_at: null })

/** Postpones a job; writes nothing when another write changed it since it was read. */
export const postponeJob = <K extends MediaJobKind>(
  job: MediaJob<K>,
  due_at: number,
  input: JsonText<JobInputs[K]> = job.input
): Row =>
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
 * Ends a job; writes nothing when another write changed it since it was read. The input is removed, because the job is
 * not done again and texts and names of customers are kept no longer than needed.
 */
export const endJob = <K extends MediaJobKind>(
  job: MediaJob<K>,
  at: number,
  result?: JobResults[K & keyof JobResults]
): Row =>
  moveJob.row({
    ...job,
    input: jsonText({}),
    due_at: null,
    attempts: job.attempts + 1,
    from_attempts: job.attempts,
    result: jsonText(result ?? {}),
    done_at: at
  })

/** Returns the job that removes the bytes that an asset loses by a change. */
export const discardOf = (before: StoredAsset, after: StoredAsset, at: number): ReadonlyArray<Row> =>
  before.blob_key === null || before.blob_key === after.blob_key
    ? []
    : [
        beginJob({
          environment_id: before.environment_id,
          id: `discard_${before.blob_key}`,
          kind: "discard",
          environment: before.environment,
          input: jsonText({ blob_key: before.blob_key }),
          due_at: at,
          trace_id: before.trace_id,
          created_at: at
        })
      ]
