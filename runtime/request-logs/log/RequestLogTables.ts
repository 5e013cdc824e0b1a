import {
  bool,
  defineTable,
  int4,
  int8,
  int8Array,
  nullable,
  sealed,
  select,
  text,
  textArray,
  timestamptz
} from "@carteiro/tables/Table.ts"
import { ids } from "../../erasure/Standings.ts"

/** Requests of an hour that the log leaves out: sampled reads, and rows without room. */
export const requestLogCountsTable = defineTable("request_log_counts", {
  owner: "request-logs",
  erasure: ids,
  key: ["environment_id", "hour"],
  columns: {
    environment_id: text,
    hour: timestamptz,
    sampled: int8,
    dropped: int8
  }
})

/** Requests that a node wrote together, as the log shows them. Decision 0182 */
export const requestBlocksTable = defineTable("request_blocks", {
  owner: "request-logs",
  erasure: "erased",
  key: ["environment_id", "last_id"],
  columns: {
    environment_id: text,
    last_id: text,
    first_id: text,
    production: bool,
    refused: bool,
    trace_id: nullable(text),
    lines: text,
    details: nullable(sealed(text)),
    subjects: nullable(int8Array)
  }
})

/** The columns of a block that its lines are read from. */
export const blockLineColumns = select(requestBlocksTable, "last_id", "trace_id", "lines")

/** The columns of a block that an erasure reads. */
export const erasedBlockColumns = select(requestBlocksTable, "environment_id", "last_id", "lines", "details")

/** Requests as the release before wrote them, a row each; they are read until their retention ends. */
export const requestLogsTable = defineTable("request_logs", {
  owner: "request-logs",
  erasure: "erased",
  key: ["environment_id", "id"],
  columns: {
    environment_id: text,
    id: text,
    production: bool,
    api_key_id: text,
    method: text,
    route: text,
    status: int4,
    code: nullable(text),
    duration_ms: int4,
    source_address: text,
    replayed: bool,
    trace_id: text,
    created_at: timestamptz,
    details: nullable(sealed(text)),
    subjects: nullable(textArray),
    warning: nullable(text)
  }
})

/** The columns of a request that lists show. */
export const requestColumns = select(
  requestLogsTable,
  "environment_id",
  "id",
  "production",
  "api_key_id",
  "method",
  "route",
  "status",
  "code",
  "duration_ms",
  "source_address",
  "replayed",
  "warning",
  "trace_id",
  "created_at"
)
