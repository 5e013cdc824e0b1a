import { attention, type Judgement, listed, problemsOr, size, span, well, wrong } from "./Finding.ts"
import type { IndexFacts, ServerFacts, SessionFacts, SlotFacts, TableFacts, WaitFacts } from "./InstallationRepo.ts"

/** The oldest release of PostgreSQL that serves, as `server_version_num`. */
const oldestServer = 150_000
/** Transactions after which a vacuum against wraparound is late, and after which the end is near. */
const agingXids = 600_000_000
const agedXids = 1_500_000_000

/** Returns how the server is set up: its version, what it would lose in a crash, and what it still has room for. */
export const serverFindings = (facts: ServerFacts): ReadonlyArray<Judgement> => {
  const problems: Array<Judgement> = []
  const { connections, max_connections, version, version_number, xid_age } = facts
  if (version_number < oldestServer) {
    problems.push(wrong(`PostgreSQL ${version} is too old.`, "Upgrade the server to version 15 or later."))
  }
  if (facts.is_standby) {
    problems.push(
      wrong("DATABASE_URL leads to a standby, which takes no writes.", "Name the primary, or promote this server.")
    )
  }
  for (const name of ["fsync", "full_page_writes"] as const) {
    if (facts[name]) continue
    problems.push(
      wrong(`${name} is off: a crash can lose or damage data.`, `alter system set ${name} = on, and reload.`)
    )
  }
  if (facts.synchronous_commit === "off") {
    const lost = "synchronous_commit is off: a crash loses what callers were told is done."
    problems.push(wrong(lost, "alter system set synchronous_commit = on, and reload."))
  }
  if (connections > max_connections * 0.9) {
    const used = `${connections} of ${max_connections} connections are in use.`
    problems.push(
      attention(
        used,
        "Raise max_connections, or lower CARTEIRO_DATABASE_POOL: a process takes that many and three, and two more where DATABASE_URL names several servers."
      )
    )
  }
  if (xid_age > agingXids) {
    const judge = xid_age > agedXids ? wrong : attention
    const aged = `The oldest row that is not frozen is ${Math.round(xid_age / 1e6)} million transactions old.`
    problems.push(judge(aged, "End old transactions and unused slots, then run vacuum (freeze) on this database."))
  }
  const room = `${connections} of ${max_connections} connections in use, ${size(facts.database_bytes)} of data`
  return problemsOr(problems, `PostgreSQL ${version} serves: ${room}.`)
}

/** Returns how the replica for lists stands to its primary; `lag` in bytes of the log. */
export const replicaFindings = (problem: string | undefined, lag: number): ReadonlyArray<Judgement> => {
  if (problem !== undefined) {
    const cannot = `The server of CARTEIRO_READ_DATABASE_URL cannot answer lists: ${problem}.`
    return [
      wrong(cannot, "Lists are read from DATABASE_URL meanwhile. Name a standby of it that runs, or leave it out.")
    ]
  }
  if (lag > largeLag) {
    const behind = `The replica is ${size(lag)} of the log behind: lists may be read from DATABASE_URL.`
    return [attention(behind, "Look for long statements there, a slow disk, or a slow network between the servers.")]
  }
  return [well(`The replica for lists is ${size(Math.max(0, lag))} of the log behind.`)]
}

/** Bytes of log that a replica replays in a second or two. */
const largeLag = 67_108_864

/** Returns sessions that keep others waiting, or keep dead rows from being removed. */
export const sessionFindings = (
  open: ReadonlyArray<SessionFacts>,
  waits: ReadonlyArray<WaitFacts>
): ReadonlyArray<Judgement> => {
  const end = (pid: number) => `End what it does, or end the session: select pg_terminate_backend(${pid}).`
  return problemsOr(
    [
      ...open.map(({ application_name, open_ms, pid, state }) =>
        attention(
          `Session ${pid} (${application_name || "without a name"}, ${state}) has a transaction open for ${span(open_ms)}: no row that died since then can be removed.`,
          end(pid)
        )
      ),
      ...waits.map(({ holder, holder_name, waited_ms, waiting }) =>
        wrong(
          `${waiting || "A session"} has waited for ${span(waited_ms)} for a lock that session ${holder} (${holder_name || "without a name"}) holds.`,
          end(holder)
        )
      )
    ],
    "No session holds up others."
  )
}

/** Returns indexes that PostgreSQL cannot use, and those of the migrations that are gone. */
export const indexFindings = (
  inDatabase: ReadonlyArray<IndexFacts>,
  expected: ReadonlyMap<string, string>
): ReadonlyArray<Judgement> => {
  const present = new Set(inDatabase.map(({ name }) => name))
  const broken = inDatabase.filter(({ is_usable }) => !is_usable)
  const missing = [...expected].filter(([name]) => !present.has(name))
  return problemsOr(
    [
      ...broken.map(({ name }) =>
        wrong(`The index ${name} is not valid: PostgreSQL does not use it.`, `reindex index concurrently ${name};`)
      ),
      ...missing.map(([name, statement]) =>
        wrong(`The index ${name} is missing: what it serves gets slower with every row.`, `${statement};`)
      )
    ],
    `All ${present.size} indexes are there and valid.`
  )
}

/** Returns whether activity is counted by the transactions of this database cluster. */
export const activityFinding = (isElsewhere: boolean): Judgement =>
  isElsewhere
    ? wrong(
        "The database came from another cluster, and no node has started on it here: activity is not counted.",
        "Run npm run migrate of this release, or start a node: counting goes on where it stood."
      )
    : well("Activity is counted by the transactions of this cluster.")

/** Dead rows from which on a table is looked at. */
export const manyDead = 100_000

/** Returns tables whose dead rows are not removed. */
export const bloatFindings = (tables: ReadonlyArray<TableFacts>, autovacuum: boolean): ReadonlyArray<Judgement> => {
  const off = tables.filter(({ vacuums_itself }) => !vacuums_itself).map(({ name }) => name)
  const bloated = tables.filter(({ dead, live }) => dead > manyDead && dead > live)
  const problems: Array<Judgement> = bloated.map(({ dead, live, name }) =>
    attention(
      `The table ${name} holds ${dead} dead rows beside ${live} that live.`,
      `vacuum (analyze) ${name}; if they come back, look for old transactions, and lower autovacuum_vacuum_cost_delay.`
    )
  )
  if (!autovacuum) {
    problems.push(
      wrong("autovacuum is off: dead rows are never removed.", "alter system set autovacuum = on, and reload.")
    )
  }
  if (off.length > 0) {
    const reset = `alter table ${off[0]} reset (autovacuum_enabled), and so on.`
    problems.push(wrong(`autovacuum leaves out ${listed(off)}.`, reset))
  }
  return problemsOr(problems, "Dead rows are removed.")
}

/** Log that a slot without a reader may keep, in bytes. */
const keptLog = 1_073_741_824

/** Returns replication slots that fill the disk with log that nothing reads. */
export const slotFindings = (slots: ReadonlyArray<SlotFacts>): ReadonlyArray<Judgement> =>
  slots.length === 0
    ? []
    : slots.map(({ kept_bytes, name }) =>
        kept_bytes > keptLog
          ? wrong(
              `Nothing reads the replication slot ${name}, which keeps ${size(kept_bytes)} of log on the disk.`,
              `Start its standby, or drop it: select pg_drop_replication_slot('${name}').`
            )
          : well(`Nothing reads the replication slot ${name}; it keeps ${size(kept_bytes)} of log.`)
      )
