import { Data, Effect, Runtime } from "effect"

/**
 * Why the process cannot start: one line for the person at the terminal, naming what to change. The process exits 1
 * without a stack; `tellRefusal` prints the line. Boot contract, Settings
 */
export class StartRefused extends Data.TaggedError("StartRefused")<{
  readonly message: string
  /** Set when only the data directory being held by another process stands in the way. */
  readonly busy?: boolean
}> {
  override readonly [Runtime.errorReported] = false
}

/** Prints a refused start on stderr as its one line; the failure itself goes on and makes the exit code 1. */
export const tellRefusal = <A, E extends { readonly message: string }, R>(program: Effect.Effect<A, E, R>) =>
  Effect.mapError(
    Effect.tapError(program, (error) => Effect.sync(() => process.stderr.write(`${oneLine(error.message)}\n`))),
    (error) => new StartRefused({ message: error.message })
  )

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ")
