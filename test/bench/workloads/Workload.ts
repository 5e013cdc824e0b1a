import type { Effect, Scope } from "effect"
import type { Bench } from "../Bench.ts"
import type { BenchFailure } from "../BenchFailure.ts"
import type { Finding } from "../Report.ts"

/** One question of the benchmark. */
export interface Workload {
  readonly name: string
  /** One sentence: what is asked of whom. */
  readonly about: string
  /** Programs npm does not bring. */
  readonly needs: ReadonlyArray<"wrk" | "redis-server">
  readonly run: Effect.Effect<Pick<Finding, "sides" | "bars" | "facts" | "unit">, BenchFailure, Bench | Scope.Scope>
}
