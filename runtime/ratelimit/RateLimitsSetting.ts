import { Result, Schema } from "effect"
import { type RateName, type RateRow, type RateTable, rateOf, type Span, spans, standardRates } from "./RateTable.ts"
import type { WindowLimit } from "./RollingWindow.ts"
import type { Rate } from "./TokenBucket.ts"

const positive = Schema.Int.check(Schema.isGreaterThan(0))
const Per = Schema.Literals(Object.keys(spans) as ReadonlyArray<Span>)
const Bucket = Schema.Struct({ burst: positive, sustained: positive, per: Per })
const Window = Schema.Struct({ limit: positive, per: Per })
const Limit = Schema.Union([Bucket, Window, Schema.Literal("off")])
const Overrides = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Record(Schema.String, Limit)))
const decode = Schema.decodeUnknownResult(Overrides, { onExcessProperty: "error" })

/** The permitted values of `CARTEIRO_RATE_LIMITS`, for the message of a refused value. */
export const rateLimitsExpected =
  '`off`, or a JSON object like {"read.sandbox":{"key":{"burst":50,"sustained":25,"per":"second"},"organization":"off"}}'

/**
 * Returns the rate table for a value of `CARTEIRO_RATE_LIMITS`: `off` lifts every bucket but the endpoint test limit; a
 * JSON object replaces single limits, by row and holder of the standard table. Any other value returns a sentence that
 * states the fault. Boot contract, "Settings"
 */
export const readRateLimits = (text: string | undefined): Result.Result<RateTable, string> => {
  if (text === undefined || text.trim() === "") return Result.succeed(standardRates)
  if (text.trim() === "off") return Result.succeed(unlimited)
  const decoded = decode(text)
  if (Result.isFailure(decoded)) return Result.fail(`expected ${rateLimitsExpected}`)
  const table: { [name in RateName]: RateRow } = { ...standardRates }
  for (const [name, limits] of Object.entries(decoded.success)) {
    if (!isRateName(name))
      return Result.fail(`unknown class "${name}"; known: ${Object.keys(standardRates).join(", ")}`)
    const row: { [holder: string]: Rate | WindowLimit } = { ...standardRates[name] }
    for (const [holder, limit] of Object.entries(limits)) {
      const standard = Object.hasOwn(row, holder) ? row[holder] : undefined
      if (standard === undefined) return Result.fail(`"${name}" has no limit per "${holder}"`)
      if (limit === "off") delete row[holder]
      else if ("burst" in limit && "burst" in standard) row[holder] = rateOf(limit.burst, limit.sustained, limit.per)
      else if ("limit" in limit && "limit" in standard) row[holder] = windowOf(limit)
      else
        return Result.fail(`"${name}" per "${holder}" takes ${"limit" in standard ? "limit" : "burst, sustained"}, per`)
    }
    table[name] = row
  }
  return Result.succeed(table)
}

const windowOf = (limit: typeof Window.Type): WindowLimit => ({ limit: limit.limit, windowMillis: spans[limit.per] })

const isRateName = (name: string): name is RateName => Object.hasOwn(standardRates, name)

const unlimited: RateTable = {
  ...(Object.fromEntries(Object.keys(standardRates).map((name) => [name, {}])) as RateTable),
  endpoint_test: standardRates.endpoint_test
}
