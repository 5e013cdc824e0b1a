import { parseArgs } from "node:util"
import type { Options } from "./Bench.ts"

/** The parsed command line of the bench. */
export interface Arguments {
  /** The workloads to run; all unless some are named. */
  readonly names: ReadonlyArray<string>
  readonly options: Options
  /** Write the findings into the document. */
  readonly write: boolean
  /** Fail when a bar is missed. */
  readonly check: boolean
  readonly help: boolean
}

/** Returns the text that explains the command line. */
export const usageOf = (workloads: ReadonlyArray<{ readonly name: string; readonly about: string }>): string =>
  `Usage: npm run bench -- [workload…] [options]

  --rounds <n>    counted rounds of each side, 5 unless given
  --seconds <n>   length of a round of HTTP load, 4 unless given
  --check         end with exit code 1 when a bar is missed
  --write         write the findings to docs/benchmarks.md
  --profile       take a processor profile of the product and print where its time goes

Workloads, all unless named:
${workloads.map(({ about, name }) => `  ${name.padEnd(15)} ${about}`).join("\n")}
`

const wholeNumber = (name: string, text: string): number => {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new Error(`--${name} expects a whole number above 0, not "${text}"`)
}

/** Reads the command line; throws the sentence about an unknown workload or option. */
export const readArguments = (args: ReadonlyArray<string>, workloads: ReadonlyArray<string>): Arguments => {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "4" },
      check: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      profile: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false }
    }
  })
  const unknown = positionals.filter((name) => !workloads.includes(name))
  if (unknown.length > 0) throw new Error(`no such workload: ${unknown.join(", ")}`)
  return {
    names: workloads.filter((name) => positionals.length === 0 || positionals.includes(name)),
    options: {
      rounds: wholeNumber("rounds", values.rounds),
      seconds: wholeNumber("seconds", values.seconds),
      profile: values.profile
    },
    write: values.write,
    check: values.check,
    help: values.help
  }
}
