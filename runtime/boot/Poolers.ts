import { lookAtPooler, type Pooler } from "@carteiro/tables/Pooler.ts"
import { serverUrls } from "@carteiro/tables/ServerUrls.ts"
import { isUnready, whileStarting } from "@carteiro/tables/StartPatience.ts"
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { SettingsValues } from "./Settings.ts"
import { StartRefused } from "./StartRefused.ts"

/** Sessions that a process opens beside its pool, for the locks of shards. */
const lockConnections = 3

/** Returns how many sessions with PostgreSQL a node of these settings opens at most. */
export const sessionsOf = ({ databasePool, processes }: Pick<SettingsValues, "databasePool" | "processes">): number =>
  processes * (databasePool + lockConnections)

/** What a pooler does that a node cannot stand on, and what to set. */
export interface PoolerProblem {
  readonly problem: string
  readonly remedy: string
}

/** Returns why a node cannot run behind this pooler; undefined when it can. */
export const poolerProblem = (pooler: Pooler): PoolerProblem | undefined =>
  pooler.kind === "none" || pooler.kind === "sessions" ? undefined : problems[pooler.kind]

const direct = "or reach PostgreSQL directly"

const problems: Readonly<Record<Exclude<Pooler["kind"], "none" | "sessions">, PoolerProblem>> = {
  transactions: {
    problem:
      "a pooler shares sessions among clients after each transaction, and locks of shards and settings live in sessions",
    remedy: `set pool_mode = session there, ${direct}`
  },
  statements: {
    problem: "a pooler shares sessions among clients after each statement, and allows no transaction",
    remedy: `set pool_mode = session there, ${direct}`
  },
  standby: {
    problem: "a pooler answers reads from a standby, which does not know yet what was just written",
    remedy: `let it send everything to the primary, ${direct}`
  },
  balances: {
    problem:
      "pgpool-II answers reads from standbys (load_balance_mode = on), which do not know yet what was just written",
    remedy: `set load_balance_mode = off there, ${direct}`
  },
  caches: {
    problem: "pgpool-II answers reads from its memory (memory_cache_enabled = on), which may be old",
    remedy: `set memory_cache_enabled = off there, ${direct}`
  }
}

/** How the sizes of a session pooler suit a node. */
export interface PoolerSizes {
  readonly isEnough: boolean
  readonly found: string
  readonly remedy: string
}

/** Returns how the sizes of a pooler suit a node that opens so many sessions; undefined without a pooler. */
export const poolerSizes = (pooler: Pooler, needed: number, database: string): PoolerSizes | undefined => {
  if (pooler.kind !== "sessions") return undefined
  const remedy = `set default_pool_size (or pool_size of ${database}) to the sum of all nodes at least, and max_client_conn above it`
  if (pooler.sizes === undefined) {
    const found = `A pooler of sessions stands before PostgreSQL. This node takes ${needed} sessions, and each other node its own; the sizes of the pool cannot be asked for`
    return { isEnough: true, found, remedy }
  }
  const { active, clients, poolSize, waiting } = pooler.sizes
  const left = Math.max(0, poolSize - active)
  const found = `A pooler of sessions stands before PostgreSQL. This node takes ${needed} sessions; the pool of ${database} has ${poolSize}, of which ${active} are in use and ${left} are left (${waiting} clients wait), and takes ${clients} clients`
  return { isEnough: left >= needed && clients >= active + needed && waiting === 0, found, remedy }
}

/**
 * Looks for a pooler before each server of a URL. A server that does not answer is left out: others tell of it. Fails when
 * none of them answers in time; a start waits for the first answer, since a busy pooler must not pass for none.
 */
export const lookAtPoolers = (url: string, applicationName: string): Effect.Effect<ReadonlyArray<Pooler>, SqlError> =>
  Effect.partition(serverUrls(url) ?? [], (server) => lookAtPooler(server, applicationName), {
    concurrency: "unbounded"
  }).pipe(
    Effect.flatMap(([poolers, failures]) => {
      const slow = poolers.length === 0 && failures.every((error) => isUnready(error)) ? failures[0] : undefined
      return slow === undefined ? Effect.succeed(poolers) : Effect.fail(slow)
    }),
    whileStarting
  )

/** Refuses a pooler that breaks promises. Boot contract, "Settings" */
export const refusePoolers = Effect.fn("Database.refusePoolers")(function* (url: string, sessions: number | undefined) {
  for (const pooler of yield* lookAtPoolers(url, "carteiro-start")) {
    const found = poolerProblem(pooler)
    if (found !== undefined) {
      return yield* new StartRefused({ message: `DATABASE_URL: ${found.problem}; ${found.remedy}` })
    }
    const sizes = sessions === undefined ? undefined : poolerSizes(pooler, sessions, databaseOf(url))
    if (sizes?.isEnough === true) yield* Effect.logInfo(`${sizes.found}.`, { do: sizes.remedy })
    if (sizes?.isEnough === false) yield* Effect.logWarning(`${sizes.found}.`, { do: sizes.remedy })
  }
})

/** The name of the database in a URL, which is that of the role where it is left out. */
export const databaseOf = (url: string): string => {
  const { pathname, username } = new URL(serverUrls(url)?.[0] ?? url)
  return decodeURIComponent(pathname.slice(1)) || decodeURIComponent(username)
}
