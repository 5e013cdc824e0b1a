/** What a step may take on the slowest machine; a step that hangs fails and says so. */
const stepLimit = 180_000

const within = async (limit: number, work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the step took more than ${limit / 1_000} seconds`)), limit)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Runs named steps in order; what fails or hangs ends the story, as later steps stand on it. */
export interface Steps {
  step(promise: string, work: () => Promise<void>, limitMs?: number): Promise<void>
  /** The closing line: how many held and how many did not. */
  summary(): string
  failed(): boolean
}

export const makeSteps = (): Steps => {
  let passed = 0
  let failed = 0
  return {
    step: async (promise, work, limitMs = stepLimit) => {
      if (failed > 0) return
      try {
        await within(limitMs, work())
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
