import { Effect } from "effect"
import { escapeValue } from "../kit/Escapes.ts"

/** One promise of the protocol: the check returns what is wrong, or undefined. */
export interface BridgeCheck {
  readonly promise: string
  /** True for a check that makes something at the bridge, which may cost. */
  readonly writes: boolean
  readonly run: Effect.Effect<string | undefined>
}

/** How one promise stands; `left_out` needs `--write`. */
export interface CheckedPromise {
  readonly promise: string
  readonly status: "kept" | "broken" | "left_out"
  readonly problem: string | null
}

const marks: Readonly<Record<CheckedPromise["status"], string>> = {
  kept: "ok",
  broken: "BROKEN",
  left_out: "left out"
}

/** Returns the line of a promise, with a second one of what is wrong. */
export const lineOf = ({ problem, promise, status }: CheckedPromise): string => {
  const head = `${marks[status].padEnd(9)} ${escapeValue(promise)}`
  return problem === null ? head : `${head}\n${" ".repeat(10)}${escapeValue(problem)}`
}

/** No check waits longer; a text may be spoken for 20 seconds, and a number be delivered within a minute. */
const deadline = "90 seconds"

/** Runs checks one after the other, so that what one makes does not disturb another. */
export const runChecks = (
  checks: ReadonlyArray<BridgeCheck>,
  writes: boolean
): Effect.Effect<ReadonlyArray<CheckedPromise>> =>
  Effect.forEach(checks, (check): Effect.Effect<CheckedPromise> => {
    const { promise } = check
    if (check.writes && !writes) return Effect.succeed({ promise, status: "left_out", problem: null })
    return Effect.map(
      Effect.timeoutOrElse(check.run, {
        duration: deadline,
        orElse: () => Effect.succeed("there was no result within 90 seconds")
      }),
      (problem): CheckedPromise => ({
        promise,
        status: problem === undefined ? "kept" : "broken",
        problem: problem ?? null
      })
    )
  })

/** Returns the sentence of a broken promise: what had to be answered, and what was. */
export const expected = (what: string, result: unknown): string => `expected ${what}; the answer was ${shown(result)}`

/** Returns a result as a sentence shows it, without the bytes of audio and the secrets of cards. */
const shown = (result: unknown): string => {
  const text = JSON.stringify(result, (name, value: unknown) =>
    name === "audio" || (name === "client_secret" && value !== null) ? "not shown" : value
  )
  return text.length <= 400 ? text : `${text.slice(0, 400)}…`
}
