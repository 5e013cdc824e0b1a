import { type Instruments, secondsBounds, sizeBounds } from "./Instruments.ts"

/** Makes the metrics of a node's calls to owners, by owner type and operation. */
export const ownerMetrics = (instruments: Instruments) => ({
  callSeconds: instruments.histogram({
    name: "owner_call_duration_seconds",
    help: "Time from a call to an owner to its answer, as the caller sees it",
    labels: ["owner", "operation"],
    bounds: secondsBounds
  }),
  batchSize: instruments.histogram({
    name: "owner_batch_size",
    help: "Calls that travelled to an owner as one message",
    labels: ["owner", "operation"],
    bounds: sizeBounds
  }),
  /** Counts messages to owners of other nodes by way of travel: `link` or `rpc`. */
  messages: instruments.counter({
    name: "owner_messages_total",
    help: "Messages to owners of other nodes, by how they travelled",
    labels: ["path"]
  }),
  /** Reads the number of resident owners of a type at every scrape. */
  resident: (owner: string, count: () => number) =>
    instruments.reading({ name: "owner_resident", help: "Owners in memory", labels: { owner } }, count)
})

/** Makes the metrics of the group commit. */
export const commitMetrics = (instruments: Instruments) => ({
  seconds: instruments.histogram({
    name: "commit_duration_seconds",
    help: "Time of one commit statement",
    bounds: secondsBounds
  })(),
  units: instruments.histogram({
    name: "commit_units",
    help: "Units of owners in one commit statement",
    bounds: sizeBounds
  })(),
  outcomes: instruments.counter({
    name: "commit_units_total",
    help: "Units by what became of them",
    labels: ["outcome"]
  })
})

/** Metrics of a node's part in the cluster. */
export const clusterMetrics = (instruments: Instruments) => ({
  /** Counts the database sessions that hold the locks of shards: one at the start, and one more for each that was lost. */
  lockSessions: instruments.counter({
    name: "lock_sessions_opened_total",
    help: "Database sessions opened for the locks of shards"
  })()
})
