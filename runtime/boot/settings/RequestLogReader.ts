import { Result, Schema } from "effect"
import type * as Readers from "./Readers.ts"

const whole = (minimum: number, maximum: number) =>
  Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

const Kind = Schema.Struct({
  days: whole(1, 365),
  reads_per_second: whole(0, 1_000_000),
  sample_one_of: whole(1, 1_000_000),
  bodies: Schema.optionalKey(Schema.Boolean)
})

const decode = Schema.decodeUnknownResult(
  Schema.fromJsonString(Schema.Struct({ sandbox: Schema.optionalKey(Kind), production: Schema.optionalKey(Kind) })),
  { onExcessProperty: "error" }
)

/** The values that `CARTEIRO_REQUEST_LOG` may have, for the message of a refused one. */
export const requestLogExpected =
  '`on`, `off`, or a JSON object like {"production":{"days":14,"reads_per_second":5,"sample_one_of":100,"bodies":false}}'

const kept = { days: 7, reads_per_second: 20, sample_one_of: 20, bodies: true } as const

/** Reads how requests are kept, by kind of environment; undefined keeps none. */
export const readRequestLog: Readers.Reader<
  { readonly sandbox: LogRetention; readonly production: LogRetention } | undefined
> = (text) => {
  if (text === "off") return Result.succeed(undefined)
  const decoded = text === "on" ? Result.succeed({}) : decode(text)
  if (Result.isFailure(decoded)) return Result.fail(`expected ${requestLogExpected}`)
  const {
    production,
    sandbox
  }: { readonly production?: Partial<LogRetention>; readonly sandbox?: Partial<LogRetention> } = decoded.success
  return Result.succeed({ sandbox: { ...kept, ...sandbox }, production: { ...kept, days: 30, ...production } })
}

interface LogRetention {
  readonly days: number
  readonly reads_per_second: number
  readonly sample_one_of: number
  readonly bodies: boolean
}
