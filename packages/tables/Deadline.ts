import { Effect, Fiber } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"

/**
 * Gives a statement up after so many milliseconds, as the database being away: its host vanished without a reset, or no
 * connection came free. The caller leaves at once; the driver takes its time to cancel the statement, and throws the
 * connection away when that is not answered either. Real time, as with the sockets below.
 */
export const withinPatience = <A>(statement: Effect.Effect<A, SqlError>, millis: number): Effect.Effect<A, SqlError> =>
  Effect.contextWith((context) =>
    Effect.callback<A, SqlError>((resume) => {
      const asked = Effect.runForkWith(context)(statement)
      const timer = setTimeout(() => {
        resume(Effect.fail(silent(millis)))
        asked.interruptUnsafe()
      }, millis)
      asked.addObserver((exit) => {
        clearTimeout(timer)
        resume(exit)
      })
      return Effect.suspend(() => {
        clearTimeout(timer)
        return Fiber.interrupt(asked)
      })
    })
  )

const silent = (millis: number) => {
  const message = `PostgreSQL did not answer within ${millis} ms`
  return new SqlError({ reason: new ConnectionError({ cause: new Error(message), message, operation: "query" }) })
}
