import { existsSync } from "node:fs"
import { join } from "node:path"
import { Clock, Deferred, Effect, Schedule, Scope } from "effect"
import { isAlive } from "../RunningProcess.ts"
import { StartRefused } from "../StartRefused.ts"
import { awaitReady, findRunning, launch, logPath, type Postmaster, type Server, stop } from "./ServerProcess.ts"

/** A server that is started again whenever it ends, until the scope closes, which stops it. */
export interface WatchedServer {
  readonly port: number
  /** Fails once the server is gone for good, with the sentence that says why. */
  readonly lost: Effect.Effect<never, StartRefused>
}

/**
 * Starts a server and watches it: when its process ends while the scope is open, it is started again on its port, so
 * that clients find it where it was. Given up when it does not start within ten attempts, or ten times in a row ends
 * within a second of its start.
 */
export const watchServer = Effect.fnUntraced(function* <E>(server: Server, start: Effect.Effect<Postmaster, E>) {
  const scope = yield* Effect.scope
  const first = yield* Effect.uninterruptible(
    Effect.tap(start, () => Scope.addFinalizer(scope, stopWhatRuns(server.cluster)))
  )
  const lost = yield* Deferred.make<never, StartRefused>()
  yield* Effect.forkScoped(Deferred.into(keepRunning(server, first), lost))
  return { port: first.port, lost: Deferred.await(lost) } satisfies WatchedServer
})

const lookMillis = 100
const shortMillis = 1_000
const mostShort = 10
/** Backends of a killed server go within milliseconds of it, but must all have gone before the next one starts. */
const attempts = { schedule: Schedule.spaced("500 millis"), times: 9 }

const keepRunning = Effect.fnUntraced(function* (server: Server, first: Postmaster) {
  const { port } = first
  let { pid } = first
  let short = 0
  while (true) {
    const started = yield* Clock.currentTimeMillis
    while (isAlive(pid)) yield* Effect.sleep(lookMillis)
    short = (yield* Clock.currentTimeMillis) - started < shortMillis ? short + 1 : 0
    if (short === mostShort) return yield* endsAtOnce(server)
    yield* Effect.logWarning("the embedded PostgreSQL ended; starting it again", { pid, log: logPath(server.home) })
    const again = yield* startAgain(server, port)
    pid = again.pid
    yield* Effect.logInfo("the embedded PostgreSQL runs again", { pid, port })
  }
})

const startAgain = (server: Server, port: number) =>
  Effect.gen(function* () {
    // The person at the machine may have started it meanwhile.
    const found = yield* findRunning(server.cluster)
    const running = found === undefined ? undefined : yield* awaitReady(server.cluster, found.pid)
    if (running !== undefined) return running
    return yield* launch(server, port, "a")
  }).pipe(
    Effect.retry({ ...attempts, while: () => existsSync(join(server.cluster, "PG_VERSION")) }),
    Effect.catchCause((cause) =>
      existsSync(join(server.cluster, "PG_VERSION")) ? Effect.failCause(cause) : isGone(server)
    )
  )

const isGone = ({ cluster, dataDir }: Server) =>
  new StartRefused({
    message: `CARTEIRO_DATA_DIR: the database ${cluster} is gone while it was in use; restore it, or remove ${dataDir} to start afresh`
  })

const endsAtOnce = ({ dataDir, home }: Server) =>
  new StartRefused({
    message: `CARTEIRO_DATA_DIR: the database in ${dataDir} ends as soon as it has started; see ${logPath(home)} for what ends it`
  })

const stopWhatRuns = (cluster: string) =>
  Effect.flatMap(findRunning(cluster), (found) => (found === undefined ? Effect.void : stop(cluster, found.pid)))
