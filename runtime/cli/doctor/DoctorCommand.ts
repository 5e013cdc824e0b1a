import { Effect } from "effect"
import { Command } from "effect/cli"
import { escapeValue } from "../kit/Escapes.ts"
import { print } from "../kit/Output.ts"
import { examine } from "./Examination.ts"
import type { Finding, Verdict } from "./Finding.ts"

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

/**
 * Tells in plain words what is wrong with an installation and what to do, by the settings of one node. Writes nothing; not
 * even the schema is brought up to date. Fails when something is wrong.
 */
export const doctor = Command.make("doctor", {}, () =>
  Effect.gen(function* () {
    const findings = yield* examine
    const count = (status: Verdict) => findings.filter((finding) => finding.status === status).length
    const wrong = count("wrong")
    const told = summary(wrong, count("attention"))
    const status = wrong > 0 ? "wrong" : "well"
    yield* print({ status, findings }, `${findings.map(lines).join("\n")}\n\n${told}`)
    if (wrong > 0)
      return yield* Effect.fail(new Error(`The doctor found ${wrong} ${wrong === 1 ? "thing" : "things"} wrong.`))
  })
)
