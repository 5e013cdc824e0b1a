import { Context, Layer } from "effect"
import type { RateTable } from "./RateTable.ts"

/** The rate table of this process, in a file of its own so that rules may import the table's type. */
export class Rates extends Context.Service<Rates, RateTable>()("@carteiro/runtime/ratelimit/Rates") {
  /** The table of `readRateLimits`, or `standardRates`. */
  static readonly layer = (table: RateTable) => Layer.succeed(Rates, table)
}
