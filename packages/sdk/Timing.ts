/** Passing of time and chance, replaced by tests. */
export interface Timing {
  /** Returns epoch milliseconds. */
  now(): number
  /** Resolves after the milliseconds, or rejects with the signal's reason when it aborts first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** Returns a number from 0 to 1, without 1. */
  random(): number
}

/** The real clock. */
export const realTiming: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      const stop = () => {
        clearTimeout(timer)
        if (signal !== undefined) reject(signal.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop)
        resolve()
      }, milliseconds)
      signal?.addEventListener("abort", stop, { once: true })
    })
}
