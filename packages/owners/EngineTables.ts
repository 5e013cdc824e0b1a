import { defineTable, int4, int8, nullable, sealed, text, timestamptz } from "@carteiro/tables/Table.ts"

/** One row a group commit, by which an unknown outcome is read again. */
export const commitsTable = defineTable("commits", {
  owner: "owners",
  erasure: { holds: "ids, instants and counts" },
  key: ["id"],
  columns: {
    id: text,
    created_at: timestamptz,
    outcome: text
  }
})

/** Keys of idempotent requests: the response is sealed, the request is a keyed fingerprint. */
export const idempotencyRecordsTable = defineTable("idempotency_records", {
  owner: "owners",
  erasure: "erased",
  reset: "changed",
  key: ["environment_id", "key_hash"],
  columns: {
    environment_id: text,
    key_hash: text,
    fingerprint: text,
    status: text,
    response_status: nullable(int4),
    response_body: nullable(sealed(text)),
    created_at: timestamptz,
    expires_at: timestamptz,
    subject: nullable(text)
  }
})

/** The customers that stored responses show, by keyed hashes. */
export const idempotencySubjectsTable = defineTable("idempotency_subjects", {
  owner: "owners",
  erasure: { holds: "keyed hashes" },
  key: ["subject", "environment_id", "key_hash"],
  columns: {
    environment_id: text,
    key_hash: text,
    subject: text,
    expires_at: timestamptz
  }
})

/** Levels that an owner keeps in memory and saves now and then, such as buckets: it may lose the last second. */
export const ownerLevelsTable = defineTable("owner_levels", {
  owner: "owners",
  erasure: { holds: "ids, instants and counts" },
  key: ["owner_type", "owner_id"],
  columns: {
    owner_type: text,
    owner_id: text,
    levels: text,
    saved_at: timestamptz
  }
})

/** The database session that holds the shard locks of each runner: the runner lives as long as the session does. */
export const runnerSessionsTable = defineTable("runner_sessions", {
  owner: "owners",
  erasure: { holds: "ids, instants and counts" },
  key: ["address"],
  columns: {
    address: text,
    pid: int4,
    started_at: timestamptz
  }
})

/** The epoch of each shard, raised by the node that is granted its lock. A commit under an older epoch writes nothing. */
export const shardEpochsTable = defineTable("shard_epochs", {
  owner: "owners",
  erasure: { holds: "ids, instants and counts" },
  key: ["shard"],
  columns: {
    shard: int4,
    epoch: int8
  }
})
