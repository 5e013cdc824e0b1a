import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { escapeValue } from "../kit/Escapes.ts"
import { print } from "../kit/Output.ts"
import { examine } from "./Examination.ts"
import type { Finding, Verdict } from "./Finding.ts"
import { examinePlatform } from "./PlatformExamination.ts"

const marks: Readonly<Record<Verdict, string>> = {
  ok: "ok",
  attention: "attention",
  wrong: "WRONG",
  unknown: "unknown"
}

/** One finding as a person reads it; the remedy stands below. */
const lines = ({ check, found, remedy, status }: Finding): string => {
  const head = `${marks[status].padEnd(9)}  ${check.padEnd(12)}  ${escapeValue(found)}`
  return remedy === null ? head : `${head}\n${" ".repeat(25)}Do: ${escapeValue(remedy)}`
}

const summary = (wrong: number, attention: number): string => {
  if (wrong === 0 && attention === 0) return "All is well."
  if (wrong === 0) return `Nothing is wrong; ${attention} to attend to.`
  return `${wrong} wrong, ${attention} to attend to.`
}

const flags = {
  platform: Flag.Boolean("platform").pipe(
    Flag.withDescription("Make the calls that prove the connection to the chat platform; they change nothing"),
    Flag.withDefault(false)
  ),
  account: Flag.String("account").pipe(
    Flag.withDescription("The only account of the platform to look at, by its id there; implies --platform"),
    Flag.withMetavar("id"),
    Flag.optional
  )
}

/**
 * Tells in plain words what is wrong with an installation and what to do, by the settings of one node. Writes nothing; not
 * even the schema is brought up to date. Fails when something is wrong. With `--platform` it looks at the connection to
 * the chat platform instead.
 */
export const doctor = Command.make("doctor", flags, ({ account, platform }) =>
  Effect.gen(function* () {
    const only = Option.getOrUndefined(account)
    const findings = yield* platform || only !== undefined ? examinePlatform(only) : examine
    const count = (status: Verdict) => findings.filter((finding) => finding.status === status).length
    const wrong = count("wrong")
    const told = summary(wrong, count("attention"))
    const status = wrong > 0 ? "wrong" : "well"
    yield* print({ status, findings }, `${findings.map(lines).join("\n")}\n\n${told}`)
    if (wrong > 0)
      return yield* Effect.fail(new Error(`The doctor found ${wrong} ${wrong === 1 ? "thing" : "things"} wrong.`))
  })
)
