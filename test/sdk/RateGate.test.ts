import { Carteiro, type CarteiroApiError, CarteiroRateLimitError } from "@carteiro/sdk"
import { assert, describe, it } from "vitest"

/** A clock whose time passes from one timer to the next, as soon as nothing else is left to do. */
class CountedClock {
  at = 0
  readonly #timers: Array<{ readonly due: number; readonly fire: () => void }> = []
  readonly random = () => 0.5
  readonly now = () => this.at
  readonly sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      const timer = { due: this.at + milliseconds, fire: resolve }
      this.#timers.push(timer)
      const stop = () => {
        this.#timers.splice(this.#timers.indexOf(timer), 1)
        reject(signal?.reason)
      }
      signal?.addEventListener("abort", stop, { once: true })
    })

  /** Turns the clock until the promise is settled. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false
    const settled = () => {
      isSettled = true
    }
    promise.then(settled, settled)
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      if (isSettled) return promise
      const next = this.#timers.reduce((first, one) => (one.due < first.due ? one : first))
      this.#timers.splice(this.#timers.indexOf(next), 1)
      this.at = Math.max(this.at, next.due)
      next.fire()
    }
  }
}

/** A bucket of ten a second as the API keeps it, each answer after the milliseconds of a journey. */
const limited = (journeyMs: number, options: { readonly retryAfterMs?: number; readonly perSecond?: number } = {}) => {
  const clock = new CountedClock()
  const perSecond = options.perSecond ?? 10
  let tokens = perSecond
  let filledAt = 0
  const passed: Array<string> = []
  let refused = 0
  const fetch: typeof globalThis.fetch = async (url, init) => {
    await clock.sleep(journeyMs / 2)
    tokens = Math.min(perSecond, tokens + ((clock.at - filledAt) * perSecond) / 1000)
    filledAt = clock.at
    const isPassed = tokens >= 1 && options.retryAfterMs === undefined
    if (isPassed) {
      tokens -= 1
      passed.push(new Headers(init?.headers).get("idempotency-key") ?? String(url))
    } else refused += 1
    const retry_after_ms = options.retryAfterMs ?? Math.ceil(((1 - tokens) * 1000) / perSecond)
    const error = { type: "rate_limited", code: "rate_limited", message: "Too many requests.", retry_after_ms }
    await clock.sleep(journeyMs / 2)
    return isPassed ? Response.json({ id: "msg_1" }, { status: 202 }) : Response.json({ error }, { status: 429 })
  }
  const client = (more: { readonly timeoutMs?: number; readonly maxRetries?: number; readonly apiKey?: string } = {}) =>
    new Carteiro({ apiKey: "svc_sbx_test", fetch, timing: clock, ...more })
  return { clock, client, passed, refusals: () => refused }
}

const body = { channel: "chatapp", sender: { type: "chatapp_phone_number", id: "pn_1" } } as never
const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => "answered",
    (error: unknown) => error as CarteiroApiError
  )

describe("Calls beyond a rate limit", () => {
  it.each([2, 80, 400])(
    "100 sends at once all pass, none far from its place, with answers after %i ms A-ERR-41",
    async (ms) => {
      const { client, clock, passed, refusals } = limited(ms)
      const carteiro = client()
      const keys = Array.from({ length: 100 }, (_, at) => `send ${at}`)
      const sends = keys.map((idempotencyKey) => carteiro.messages.send(body, { idempotencyKey }))
      await clock.until(Promise.all(sends))
      assert.strictEqual(new Set(passed).size, 100)
      for (const [at, key] of passed.entries()) assert.isBelow(Math.abs(keys.indexOf(key) - at), 20, key)
      // 90 tokens come in nine seconds; beyond the first storm there are a few refusals for each.
      assert.isBelow(clock.at, 20_000)
      assert.isBelow(refusals(), 90 + 2 * 90)
    }
  )

  it("clients of one key share a queue, and another key or operation waits for neither", async () => {
    const { client, clock, passed } = limited(2)
    const sends = Array.from({ length: 40 }, () => client().messages.send(body))
    await clock.until(Promise.all(sends))
    assert.strictEqual(passed.length, 40)

    const closed = limited(2, { retryAfterMs: 30_000 })
    const waiting = reasonOf(closed.client().messages.send(body))
    await closed.clock.until(closed.clock.sleep(100))
    const started = closed.clock.at
    const others = [closed.client().messages.get("msg_1"), closed.client({ apiKey: "svc_sbx_b" }).messages.send(body)]
    const answers = others.map((call) => reasonOf(Promise.resolve(call)))
    await closed.clock.until(closed.clock.sleep(100))
    assert.isBelow(closed.clock.at - started, 200)
    assert.strictEqual(closed.refusals(), 3)
    await closed.clock.until(Promise.all([waiting, ...answers]))
  })

  it("a call waits no longer than its timeout, and throws the refusal then", async () => {
    const { client, clock } = limited(2)
    const sends = Array.from({ length: 100 }, () => reasonOf(client({ timeoutMs: 3_000 }).messages.send(body)))
    const outcomes = await clock.until(Promise.all(sends))
    const late = outcomes.filter((outcome) => outcome !== "answered")
    assert.isAtLeast(late.length, 50)
    for (const error of late) assert.instanceOf(error, CarteiroRateLimitError)
    assert.isBelow(clock.at, 3_200)
    const beyond = limited(2, { retryAfterMs: 3_001 })
    await beyond.clock.until(reasonOf(beyond.client({ timeoutMs: 3_000 }).messages.send(body)))
    assert.strictEqual(beyond.refusals(), 1)
  })

  it("a client without retries does not queue", async () => {
    const { client, clock, refusals } = limited(2)
    const sends = Array.from({ length: 12 }, () => reasonOf(client({ maxRetries: 0 }).messages.send(body)))
    const outcomes = await clock.until(Promise.all(sends))
    assert.deepStrictEqual([outcomes.filter((one) => one === "answered").length, refusals()], [10, 2])
  })

  it("a caller's abort takes its call out of the queue, and the others pass", async () => {
    const { client, clock, passed } = limited(2)
    const controller = new AbortController()
    const carteiro = client()
    const first = Array.from({ length: 20 }, () => carteiro.messages.send(body))
    const aborted = reasonOf(carteiro.messages.send(body, { signal: controller.signal }))
    await clock.until(clock.sleep(50))
    controller.abort(new Error("enough"))
    const reason = (await clock.until(aborted)) as CarteiroApiError
    assert.strictEqual(reason.message, "enough")
    await clock.until(Promise.all(first))
    assert.strictEqual(passed.length, 20)
  })
})
