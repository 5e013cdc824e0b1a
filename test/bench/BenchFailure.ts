import { Data } from "effect"

/** Why a run, or one workload of it, has no numbers to show: one line, for the person at the terminal. */
export class BenchFailure extends Data.TaggedError("BenchFailure")<{ readonly message: string }> {}
