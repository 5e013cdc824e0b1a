import type { SimulatedAnswer } from "../../kit/Routes.ts"
import { Refusal } from "./Refusal.ts"

/** What the account remembers of a key's first call. */
export interface KeyedCall {
  readonly path: string
  readonly fingerprint: string
  readonly requestId: string
  /** Epoch milliseconds. */
  readonly at: number
  /** The first answer; undefined while the call runs. */
  answer: SimulatedAnswer | undefined
  /** The facts that the first call wrote to the log. */
  facts: Readonly<Record<string, unknown>>
}

const keepMs = 24 * 3_600_000
const longestKey = 255

/** The first calls of idempotency keys, remembered for a day. */
export class IdempotencyKeys {
  private readonly calls = new Map<string, KeyedCall>()
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  /**
   * Returns the earlier call with a key; undefined when there is none. Refuses another call under the key, and one
   * while the first runs.
   */
  earlier(key: string, path: string, fingerprint: string): KeyedCall | undefined {
    if (key.length > longestKey) {
      throw refusal(400, undefined, `Idempotency keys can be up to ${longestKey} characters.`, "invalid_request")
    }
    for (const [name, { at }] of this.calls) {
      if (this.now() - at <= keepMs) break
      this.calls.delete(name)
    }
    const call = this.calls.get(key)
    if (call === undefined) return undefined
    if (call.path !== path) {
      const message =
        `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${call.path}' ` +
        `vs '${path}'). Try using a key other than '${key}' if you meant to execute a different request.`
      throw refusal(400, undefined, message, "idempotency_conflict")
    }
    if (call.fingerprint !== fingerprint) {
      const message =
        "Keys for idempotent requests can only be used with the same parameters they were first used with. Try using " +
        `a key other than '${key}' if you meant to execute a different request.`
      throw refusal(400, undefined, message, "idempotency_conflict")
    }
    if (call.answer === undefined) throw keyInUse(key)
    return call
  }

  /** Remembers that a call runs under a key. */
  begin(key: string, path: string, fingerprint: string, requestId: string): KeyedCall {
    const call: KeyedCall = { path, fingerprint, requestId, at: this.now(), answer: undefined, facts: {} }
    this.calls.set(key, call)
    return call
  }

  /** Forgets a call whose parameters were refused, so that its key can be used again. */
  forget(key: string): void {
    this.calls.delete(key)
  }
}

/** Makes the refusal of a call whose key's first call runs. */
export const keyInUse = (key: string): Refusal =>
  refusal(
    409,
    "idempotency_key_in_use",
    `There is currently another in-progress request using this Idempotent Key: ${key}. Please try again later.`,
    "idempotency_key_in_use"
  )

const refusal = (status: number, code: string | undefined, message: string, outcome: string): Refusal =>
  new Refusal(status, { ...(code === undefined ? undefined : { code }), message, type: "idempotency_error" }, outcome)
