import { Data } from "effect"

/**
 * Why the process cannot start: one line for the person at the terminal, naming what to change. `main` prints the
 * message on stderr and exits 1, without a stack. Boot contract, Settings
 */
export class StartRefused extends Data.TaggedError("StartRefused")<{
  readonly message: string
  /** Set when only the data directory being held by another process stands in the way. */
  readonly busy?: boolean
}> {}
