import { writeSync } from "node:fs"
import type { Reporter, TestModule } from "vitest/node"

/** Totals of one run. */
export interface Totals {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/**
 * The closing line, `N passed, N failed`, with `, N skipped` when there are any. A run that ends badly without a failing
 * test (a file that does not load, a failing setup) counts as one failure, so that the line and the exit code agree.
 */
export const closingLine = ({ passed, failed, skipped }: Totals, exitCode: number): string => {
  const failures = failed === 0 && exitCode !== 0 ? 1 : failed
  return `${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`
}

/** Prints the closing line as the very last thing the run writes, after every other reporter. */
export default class SummaryReporter implements Reporter {
  #totals: Totals = { passed: 0, failed: 0, skipped: 0 }

  onInit() {
    process.once("exit", (code) => writeSync(1, `${closingLine(this.#totals, code)}\n`))
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>) {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const count = (state: string) => states.filter((each) => each === state).length
    this.#totals = { passed: count("passed"), failed: count("failed"), skipped: count("skipped") }
  }
}
