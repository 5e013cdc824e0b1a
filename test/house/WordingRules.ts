import { placeOf } from "./Places.ts"
import { lineAt, type SourceText } from "./SourceText.ts"

/** One breach of a rule of the house. */
export interface Violation {
  readonly path: string
  readonly line: number
  /** The short name of the rule. */
  readonly rule: string
  readonly message: string
}

/** Longest file of schema, runtime and packages, in lines; past it a file is split by noun. docs/style.md "The tree" */
const longestFile = 300

/** The only places whose job it is to read the machine's or the database's clock, or to print. */
const clockAndConsole: ReadonlyArray<string> = [
  "packages/owners/clock/",
  "packages/receiver/",
  "packages/sdk/Timing.ts",
  "packages/cli/shell/Clock.ts"
]

const codeWords: ReadonlyArray<readonly [rule: string, pattern: RegExp, instead: string]> = [
  ["no-wall-clock", /\bDate\s*\.\s*now\b/g, "read Clock"],
  ["no-wall-clock", /\bnew\s+Date\b(?!\s*\(\s*[^\s)])/g, "read Clock"],
  ["no-wall-clock", /\bDateTime\s*\.\s*nowUnsafe\b/g, "read Clock"],
  ["no-math-random", /\bMath\s*\.\s*random\b/g, "use Random, or Ids for what must be unguessable"],
  ["no-console", /\bconsole\s*\./g, "use Effect.log, or process.stdout in a program"]
]

/**
 * The only places that parse JSON: the codec of stored JSON, the edge and the links that read what others sent, and the
 * programs that know the wire alone. docs/style.md "Code"
 */
const jsonReaders: ReadonlyArray<string> = [
  "packages/tables/StoredJson.ts",
  "packages/http-edge/json/",
  "packages/owners/commit/Execution.ts",
  "packages/owners/link/Frames.ts",
  "packages/provider/VendorWords.ts",
  "packages/simulators/",
  "packages/receiver/",
  "packages/demo/",
  "packages/cli/",
  "packages/sdk/"
]

const databaseClock =
  /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp)\s*\(\s*\)|\b(?:current_timestamp|localtimestamp|current_date|current_time)\b/gi

/** Length, clock, randomness, console, parsing of JSON and database clock in one file of schema, runtime or packages. */
export const wordingProblems = (path: string, source: SourceText): ReadonlyArray<Violation> => {
  const { area } = placeOf(path)
  if (area !== "schema" && area !== "runtime" && area !== "packages") return []
  if (path.includes("/generated/")) return []
  const problems: Array<Violation> = []
  const lines = source.code.split("\n").length - 1
  if (lines > longestFile) {
    const message = `${lines} lines: past ${longestFile}, a file is split by noun (docs/style.md)`
    problems.push({ path, line: longestFile, rule: "short-files", message })
  }
  if (!jsonReaders.some((place) => path.startsWith(place))) {
    for (const match of source.code.matchAll(/\bJSON\s*\.\s*parse\b/g)) {
      problems.push({
        path,
        line: lineAt(source.code, match.index),
        rule: "parsed-once",
        message: "stored JSON is read by its codec in @carteiro/tables/StoredJson.ts, a response by readReply"
      })
    }
  }
  if (clockAndConsole.some((place) => path.startsWith(place))) return problems
  for (const [rule, pattern, instead] of codeWords) {
    for (const match of source.code.matchAll(pattern)) {
      problems.push({ path, line: lineAt(source.code, match.index), rule, message: `${match[0]}: ${instead}` })
    }
  }
  if (area !== "runtime") return problems
  for (const { text, line } of source.literals) {
    for (const match of text.matchAll(databaseClock)) {
      const at = line + lineAt(text, match.index) - 1
      problems.push({ path, line: at, rule: "no-sql-clock", message: `${match[0]}: pass the instant as a parameter` })
    }
  }
  return problems
}
