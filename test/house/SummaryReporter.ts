import { writeSync } from "node:fs"
import type { Reporter, TestCase, TestModule } from "vitest/node"

/** Totals of one run. */
export interface Totals {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** How long one file took, its setup included. */
export interface FileTime {
  readonly file: string
  readonly millis: number
}

const shownFiles = 20
const shownError = 300

/**
 * The closing line, `N passed, N failed`, with `, N skipped` when there are any. A run that ends badly without a failing
 * test (a file that does not load, a failing setup) counts as one failure, so that the line and the exit code agree.
 */
export const closingLine = ({ passed, failed, skipped }: Totals, exitCode: number): string => {
  const failures = failed === 0 && exitCode !== 0 ? 1 : failed
  return `${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`
}

/** Returns the twenty slowest files, slowest first, one a line; nothing for a run of a single file. */
export const slowestFiles = (times: ReadonlyArray<FileTime>): ReadonlyArray<string> => {
  if (times.length < 2) return []
  const slowest = times.toSorted((a, b) => b.millis - a.millis).slice(0, shownFiles)
  return [
    "Slowest files:",
    ...slowest.map(({ file, millis }) => `${(millis / 1000).toFixed(1).padStart(7)} s  ${file}`)
  ]
}

/** Returns the tests that failed once and passed when they were tried again: each is a defect to look for. */
export const secondTries = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.length === 0 ? [] : ["Failed at first, passed at the second try:", ...names.map((name) => `    ${name}`)]

/** Returns the tests and files that failed, each with the first line of its error, so that the end of a record names them. */
export const failures = (
  failed: ReadonlyArray<{ readonly name: string; readonly error: string }>
): ReadonlyArray<string> =>
  failed.length === 0
    ? []
    : [
        "Failed:",
        ...failed.flatMap(({ error, name }) => [
          `    ${name}`,
          `        ${(error.split("\n")[0] ?? "").slice(0, shownError)}`
        ])
      ]

/** Prints the slowest files, the second tries, the failures and the closing line as the very last things the run writes, after every other reporter. */
export default class SummaryReporter implements Reporter {
  #totals: Totals = { passed: 0, failed: 0, skipped: 0 }
  #notes: ReadonlyArray<string> = []

  onInit() {
    process.once("exit", (code) => writeSync(1, `${[...this.#notes, closingLine(this.#totals, code)].join("\n")}\n`))
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>) {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const states = tests.map((test) => test.result().state)
    const count = (state: string) => states.filter((each) => each === state).length
    this.#totals = { passed: count("passed"), failed: count("failed"), skipped: count("skipped") }
    const times = modules.map((module) => {
      const { collectDuration, duration, setupDuration } = module.diagnostic()
      return { file: module.relativeModuleId, millis: collectDuration + setupDuration + duration }
    })
    const nameOf = (test: TestCase) => `${test.module.relativeModuleId}: ${test.fullName}`
    const errorOf = ([first]: ReadonlyArray<{ readonly message: string }>) => first?.message ?? ""
    this.#notes = [
      ...slowestFiles(times),
      ...secondTries(tests.filter((test) => test.diagnostic()?.flaky).map(nameOf)),
      ...failures([
        ...modules.flatMap((module) =>
          module.errors().length === 0 ? [] : [{ name: module.relativeModuleId, error: errorOf(module.errors()) }]
        ),
        ...tests.flatMap((test) =>
          test.result().state === "failed" ? [{ name: nameOf(test), error: errorOf(test.result().errors ?? []) }] : []
        )
      ])
    ]
  }
}
