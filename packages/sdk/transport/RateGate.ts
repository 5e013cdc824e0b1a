import type { Timing } from "../Timing.ts"
import { CarteiroApiError, CarteiroError } from "./Errors.ts"
import { backoffMs, longestWaitMs, spreadMs } from "./Retry.ts"

/** One call in the queue of a gate. */
export interface GatedCall {
  /** Epoch milliseconds after which the call waits no longer. */
  readonly deadline: number
  readonly signal: AbortSignal | undefined
}

interface Waiter extends GatedCall {
  readonly order: number
  readonly pass: () => void
  readonly fail: (reason: unknown) => void
}

/** Shortest pause after a refusal, so that a limit that states no wait is not asked without end. Milliseconds. */
const shortestPauseMs = 20

/** Most calls that are under way together behind a gate. */
const widest = 64

/**
 * The queue of the calls that one rate limit refused. Calls leave in the order in which they were made. After a refusal none leaves
 * until the wait that the API states is over, then a few at a time, more as they succeed and fewer as they are refused again.
 */
export class RateGate {
  readonly #timing: Timing
  readonly #waiting: Array<Waiter> = []
  #underway = 0
  #width = 1
  #pausedUntil: number | undefined
  #pause: AbortController | undefined
  #refusal: CarteiroApiError | undefined
  readonly #onIdle: () => void

  constructor(timing: Timing, onIdle: () => void) {
    this.#timing = timing
    this.#onIdle = onIdle
  }

  /** Resolves when the call may be sent. Rejects with the last refusal at its deadline, and with the caller's reason on abort. */
  enter(order: number, call: GatedCall): Promise<void> {
    return new Promise((resolve, reject) => {
      const { signal } = call
      if (signal?.aborted === true) return reject(signal.reason)
      const abort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        if (this.#waiting.length === 0) this.#pause?.abort()
        reject(signal?.reason)
      }
      const leave = () => signal?.removeEventListener("abort", abort)
      const waiter: Waiter = {
        ...call,
        order,
        pass: () => {
          leave()
          resolve()
        },
        fail: (reason) => {
          leave()
          reject(reason)
        }
      }
      signal?.addEventListener("abort", abort, { once: true })
      const behind = this.#waiting.findIndex((other) => other.order > order)
      this.#waiting.splice(behind < 0 ? this.#waiting.length : behind, 0, waiter)
      this.#release()
    })
  }

  /** Ends a call that passed; `isAnswered` is false when the limit refused it again. */
  left(isAnswered: boolean): void {
    this.#underway -= 1
    if (isAnswered) this.#width = Math.min(this.#width + 0.25, widest)
    this.#release()
  }

  /** Closes the gate for the milliseconds that a refusal states. */
  close(refusal: CarteiroApiError, waitMs: number): void {
    const pauseMs = Math.max(waitMs, shortestPauseMs)
    const until = this.#timing.now() + pauseMs
    this.#refusal = refusal
    if (this.#pausedUntil !== undefined && until <= this.#pausedUntil) return
    if (this.#pausedUntil === undefined) this.#width = Math.max(1, this.#width * 0.75)
    this.#pause?.abort()
    const pause = new AbortController()
    const open = () => {
      if (this.#pause !== pause) return
      this.#pausedUntil = undefined
      this.#pause = undefined
      this.#release()
    }
    this.#pausedUntil = until
    this.#pause = pause
    this.#timing.sleep(pauseMs, pause.signal).then(open, open)
  }

  #release(): void {
    const now = this.#timing.now()
    for (const late of this.#waiting.filter(({ deadline }) => deadline <= now)) {
      this.#waiting.splice(this.#waiting.indexOf(late), 1)
      late.fail(this.#refusal)
    }
    while (this.#pausedUntil === undefined && this.#underway < Math.floor(this.#width)) {
      const next = this.#waiting.shift()
      if (next === undefined) break
      this.#underway += 1
      next.pass()
    }
    if (this.#pausedUntil === undefined && this.#underway === 0 && this.#waiting.length === 0) this.#onIdle()
  }
}

/** The gates of one clock, by API key and operation. */
export class RateGates {
  readonly #timing: Timing
  readonly #closed = new Map<string, RateGate>()
  #made = 0

  constructor(timing: Timing) {
    this.#timing = timing
  }

  /** Returns the place of a new call in the order of all. */
  nextOrder(): number {
    return this.#made++
  }

  /** Returns the gate that calls of this name queue at; undefined while no limit holds them up. */
  find(name: string): RateGate | undefined {
    return this.#closed.get(name)
  }

  /** Closes the gate of this name, and makes it when there is none. */
  close(name: string, refusal: CarteiroApiError, waitMs: number): RateGate {
    const gate = this.#closed.get(name) ?? new RateGate(this.#timing, () => void this.#closed.delete(name))
    this.#closed.set(name, gate)
    gate.close(refusal, waitMs)
    return gate
  }
}

const gatesOfClock = new WeakMap<Timing, RateGates>()

/** Returns the gates that all clients of a process with this clock share. */
export const gatesOf = (timing: Timing): RateGates => {
  const gates = gatesOfClock.get(timing) ?? new RateGates(timing)
  gatesOfClock.set(timing, gates)
  return gates
}

const idSegment = /\/[a-z]{2,5}_[0-9a-z]{26}(?=\/|$)/g

/**
 * Returns the name of the gate of an API key and an operation. Operations have gates of their own because their limits differ: a
 * report that waits for minutes holds no message back.
 */
export const gateName = (apiKey: string, baseUrl: string, method: string, path: string): string =>
  [apiKey, baseUrl, method, path.replace(idSegment, "/{id}")].join(" ")

/** The way of one call through the gate of its key and operation. */
export class RateQueue {
  readonly #timing: Timing
  readonly #gates: RateGates
  readonly #name: string
  readonly #call: GatedCall
  readonly #order: number
  /** The gate that the call passed and has not left. */
  #passed: RateGate | undefined
  #refusals = 0

  constructor(
    timing: Timing,
    name: string,
    call: { readonly waitMs: number; readonly signal: AbortSignal | undefined }
  ) {
    this.#timing = timing
    this.#gates = gatesOf(timing)
    this.#name = name
    this.#call = { deadline: timing.now() + call.waitMs, signal: call.signal }
    this.#order = this.#gates.nextOrder()
  }

  /** Returns what to wait for while a limit holds calls of this name up; undefined when the call may leave at once. */
  enter(): Promise<void> | undefined {
    const gate = this.#gates.find(this.#name)
    return gate?.enter(this.#order, this.#call).then(() => {
      this.#passed = gate
    })
  }

  /** Ends a try. Returns true when a limit refused it and has room again before the call's deadline: the call then enters again. */
  leave(outcome: unknown, random: number): boolean {
    const waitMs = outcome instanceof CarteiroApiError ? this.#waitOf(outcome, random) : undefined
    if (waitMs !== undefined) this.#gates.close(this.#name, outcome as CarteiroApiError, waitMs)
    this.#passed?.left(!(outcome instanceof CarteiroError))
    this.#passed = undefined
    return waitMs !== undefined
  }

  #waitOf(error: CarteiroApiError, random: number): number | undefined {
    if (error.status !== 429) return undefined
    this.#refusals += 1
    const { retryAfterMs } = error
    const waitMs = retryAfterMs === undefined ? backoffMs(this.#refusals, random) : spreadMs(retryAfterMs, random)
    const isLater = (retryAfterMs ?? 0) > longestWaitMs || this.#timing.now() + waitMs > this.#call.deadline
    return isLater ? undefined : waitMs
  }
}
