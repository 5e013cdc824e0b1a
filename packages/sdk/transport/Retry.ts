import { CarteiroApiError, CarteiroConnectionError, type CarteiroError } from "./Errors.ts"

/** One failed try, as the rules of retrying see it. */
export interface FailedTry {
  readonly error: CarteiroError
  /** 1 for the first try. */
  readonly attempt: number
  /** Tries that failed, this one included, without those that a rate limit held up. */
  readonly failures: number
  /** True when running the operation twice has one effect: a read, or a request under an idempotency key. */
  readonly repeatable: boolean
  readonly maxRetries: number
  /** Milliseconds that the call has waited for an earlier try of its own to end. */
  readonly waitedMs: number
}

/**
 * Longest wait for an earlier try of the call itself to end, in milliseconds. A server that was lost under a request holds its
 * key for 20 seconds, which no number of quick retries outlasts.
 */
const longestRunMs = 30_000

/** Longest wait that a server may ask for; a longer one ends the call with the error. Milliseconds. */
export const longestWaitMs = 60_000

/**
 * Returns the milliseconds to wait before the next try, or undefined when the error is final. Retries connection errors, 429,
 * 5xx, and the 409 that an earlier try of the call itself causes while it is still running, which is no failure.
 * A-ERR-39, A-ERR-40, A-ERR-41
 */
export const retryDelay = (failed: FailedTry, random: number): number | undefined => {
  const { attempt, error, failures, maxRetries, repeatable, waitedMs } = failed
  if (repeatable && isStillRunning(error, attempt)) {
    return waitedMs >= longestRunMs ? undefined : Math.min(Math.max(500, waitedMs), 4_000) * (0.5 + random / 2)
  }
  if (!repeatable || failures > maxRetries || !isTransient(error)) return undefined
  const stated = error instanceof CarteiroApiError ? error.retryAfterMs : undefined
  if (stated !== undefined && stated > longestWaitMs) return undefined
  return stated === undefined ? backoffMs(failures, random) : spreadMs(stated, random)
}

/** Returns a wait that doubles from half a second to eight; half of it is left to chance, so that clients spread. */
export const backoffMs = (failures: number, random: number): number =>
  Math.min(500 * 2 ** (failures - 1), 8_000) * (0.5 + random / 2)

/** Returns the wait that the API states, and up to a tenth more, so that clients spread. */
export const spreadMs = (statedMs: number, random: number): number => statedMs * (1 + random / 10)

/** True for the 409 that an earlier try of the call itself causes: it was cut off here, and is still running there. */
export const isStillRunning = (error: CarteiroError, attempt: number): boolean =>
  error instanceof CarteiroApiError &&
  error.status === 409 &&
  error.code === "idempotency_key_in_progress" &&
  attempt > 1

const isTransient = (error: CarteiroError): boolean => {
  if (error instanceof CarteiroConnectionError) return true
  return error instanceof CarteiroApiError && (error.status === 429 || error.status >= 500)
}
