/** Runs named steps in order; what fails ends the story, as later steps stand on it. */
export interface Steps {
  step(promise: string, work: () => Promise<void>): Promise<void>
  /** The closing line: how many held and how many did not. */
  summary(): string
  failed(): boolean
}

export const makeSteps = (): Steps => {
  let passed = 0
  let failed = 0
  return {
    step: async (promise, work) => {
      if (failed > 0) return
      try {
        await work()
        passed++
        process.stdout.write(`  ok    ${promise}\n`)
      } catch (error) {
        failed++
        process.stdout.write(`  FAIL  ${promise}\n${error instanceof Error ? error.stack : String(error)}\n`)
      }
    },
    summary: () => `${passed} passed, ${failed} failed`,
    failed: () => failed > 0
  }
}
