import { defaulted, defineTable, int4, jsonOf, nullable, select, text, timestamptz } from "@carteiro/tables/Table.ts"
import { ids } from "../../erasure/Standings.ts"
import type { Empty, JobInputs, JobResults, MediaJobKind } from "./MediaJob.ts"

/** The provider's id of a file that it holds for a number, so that each file is uploaded once. */
export const mediaHandlesTable = defineTable("media_handles", {
  owner: "media",
  erasure: ids,
  key: ["environment_id", "asset_id", "channel", "business_id"],
  columns: {
    environment_id: text,
    asset_id: text,
    channel: text,
    business_id: text,
    provider_media_id: text,
    given_at: timestamptz
  }
})

/** Jobs of the owner of an environment's media. `input` is the task, `result` its outcome; both are JSON. */
export const mediaJobsTable = defineTable("media_jobs", {
  owner: "media",
  erasure: "erased",
  reset: "changed",
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    kind: text,
    environment: text,
    input: jsonOf<JobInputs[MediaJobKind]>(),
    attempts: defaulted(int4),
    due_at: nullable(timestamptz),
    result: nullable(jsonOf<JobResults[keyof JobResults] | Empty>()),
    trace_id: text,
    created_at: timestamptz,
    done_at: nullable(timestamptz),
    customer_type: nullable(text),
    customer_key: nullable(text)
  }
})

/** The columns of a job that is due. */
export const jobColumns = select(
  mediaJobsTable,
  "environment_id",
  "id",
  "kind",
  "environment",
  "input",
  "attempts",
  "due_at",
  "trace_id",
  "created_at",
  "customer_type",
  "customer_key"
)
