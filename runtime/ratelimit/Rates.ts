import { Context, Layer } from "effect"
import type { RateTable } from "./RateTable.ts"

/** The table this process runs under; apart from it, so that rules may read the table. */
export class Rates extends Context.Service<Rates, RateTable>()("@carteiro/runtime/ratelimit/Rates") {
  /** The table of `readRateLimits`, or `standardRates`. */
  static readonly layer = (table: RateTable) => Layer.succeed(Rates, table)
}
