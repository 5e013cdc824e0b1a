import { type Context, Effect, Fiber } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { failureText } from "./SqlFailure.ts"

/**
 * Gives up a statement after so many milliseconds, as an unavailable database: its host vanished without a reset, or no
 * connection came free. The caller continues at once. The driver takes its time to cancel the statement, and drops the
 * connection if the cancel is not answered either. It uses real time, like the sockets below.
 */
export const withinPatience = <A, E, R>(
  statement: Effect.Effect<A, E, R>,
  millis: number
): Effect.Effect<A, E | SqlError, R> => leftAfter(statement, millis, ({ end }) => end())

/** A statement that its caller no longer waits for, and that the server may still run. */
export interface LeftStatement {
  /** Ends it: the driver cancels it, or drops its connection. */
  readonly end: () => void
}

/**
 * Gives up a statement like `withinPatience`, but does not cancel it: `left` gets it instead. A commit that waits for a
 * synchronous standby must not be cancelled, since a cancelled wait shows its rows although no standby has them.
 */
export const leftAfter = <A, E, R>(
  statement: Effect.Effect<A, E, R>,
  millis: number,
  left: (statement: LeftStatement) => void
): Effect.Effect<A, E | SqlError, R> =>
  Effect.contextWith((context: Context.Context<R>) =>
    Effect.callback<A, E | SqlError>((resume) => {
      const asked = Effect.runForkWith(context)(statement)
      const timer = setTimeout(() => {
        // First, since a statement that ends by its interruption would answer the caller with that.
        resume(Effect.fail(silence(millis)))
        left({ end: () => asked.interruptUnsafe() })
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

/** Returns the failure of a server that said nothing for so many milliseconds. */
export const silence = (millis: number): SqlError => {
  const message = `PostgreSQL did not answer within ${millis < 10_000 ? `${millis} ms` : `${Math.round(millis / 1000)} seconds`}`
  return new SqlError({ reason: new ConnectionError({ cause: new Silence(message), message, operation: "query" }) })
}

/** A server that said nothing. */
class Silence extends Error {}

/** True for a server that said nothing in time, on a connection or while one was opened. */
export const isSilence = (error: SqlError): boolean =>
  error.reason.cause instanceof Silence || (error.reason._tag === "ConnectionError" && failureText(error) === unopened)

/** What the driver says of a connection that did not open in time. */
const unopened = "Connection timed out"
