import { Context, Effect, Exit, Scope } from "effect"
import type { Borrower, Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"

/**
 * True for a fiber whose statements prefer the session that the last one of them had. PostgreSQL plans each text once a
 * session: large texts that follow one another are then planned once, and not once for each session of the pool.
 */
export const KeptSession = Context.Reference<boolean>("@carteiro/tables/KeptSession", { defaultValue: () => false })

/** A session is returned to the pool after so long without a statement, in milliseconds of real time, like its sockets. */
const idleMs = 5000
/** The smallest pool that lends a session for longer than a statement: the others go on meanwhile. */
const fewestSessions = 4

/**
 * Returns a borrower that keeps one session of a pool between statements. A statement beside it, and every statement of a
 * small pool, borrows as usual. After a failure the session goes back to the pool, which knows whether it still lives.
 */
export const keepSession = (
  get: Effect.Effect<Connection, SqlError, Scope.Scope>,
  borrow: Borrower,
  sessions = 10
): Effect.Effect<Borrower, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fork = Effect.runForkWith(yield* Effect.context<never>())
    let busy = false
    let lent: { readonly scope: Scope.Closeable; connection?: Connection } | undefined
    let timer: NodeJS.Timeout | undefined

    /** Takes the session from the statements that follow, and returns what gives it back. */
    const letGo = (): Effect.Effect<void> => {
      const { scope } = lent ?? {}
      lent = undefined
      return scope === undefined ? Effect.void : Scope.close(scope, Exit.void)
    }
    const open = Effect.suspend(() => {
      const opened: NonNullable<typeof lent> = { scope: Scope.makeUnsafe() }
      lent = opened
      return Effect.tap(Scope.provide(get, opened.scope), (connection) =>
        Effect.sync(() => {
          opened.connection = connection
        })
      )
    })
    const rest = (exit: Exit.Exit<unknown, unknown>) =>
      Effect.suspend(() => {
        busy = false
        if (Exit.isFailure(exit)) return letGo()
        timer ??= setTimeout(() => {
          if (!busy) fork(letGo())
        }, idleMs).unref()
        timer.refresh()
        return Effect.void
      })

    yield* Effect.addFinalizer(() => {
      clearTimeout(timer)
      return letGo()
    })
    if (sessions < fewestSessions) return borrow
    return (use) =>
      Effect.suspend(() => {
        if (busy) return borrow(use)
        busy = true
        const connection = lent?.connection
        return Effect.onExit(connection === undefined ? Effect.flatMap(open, use) : use(connection), rest)
      })
  })
