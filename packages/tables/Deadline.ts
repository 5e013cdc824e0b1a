import { type Context, Effect, Fiber } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"

/**
 * Gives up a statement after so many milliseconds, as an unavailable database: its host vanished without a reset, or no
 * connection came free. The caller continues at once. The driver takes its time to cancel the statement, and drops the
 * connection if the cancel is not answered either. It uses real time, like the sockets below.
 */
export const withinPatience = <A, E, R>(
  statement: Effect.Effect<A, E, R>,
  millis: number
): Effect.Effect<A, E | SqlError, R> =>
  Effect.contextWith((context: Context.Context<R>) =>
    Effect.callback<A, E | SqlError>((resume) => {
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
