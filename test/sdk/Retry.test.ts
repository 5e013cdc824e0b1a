import {
  Carteiro,
  type CarteiroApiError,
  CarteiroConnectionError,
  CarteiroRateLimitError,
  CarteiroTimeoutError
} from "@carteiro/sdk"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { apiErrorOf } from "../../packages/sdk/transport/Errors.ts"
import { retryDelay } from "../../packages/sdk/transport/Retry.ts"

/** `late` never comes, so that the deadline passes; `hangs` never comes, and time stands still. */
type Answer = Response | Error | "late" | "hangs"

const refusal = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}) =>
  new Response(
    JSON.stringify({ error: { type: "x", code, message: "no", request_id: "req_1", trace_id: "t", ...more } }),
    {
      status,
      headers
    }
  )

/** A client whose time is counted and whose answers are given one after the other. */
const scripted = (answers: ReadonlyArray<Answer>, options: { readonly maxRetries?: number } = {}) => {
  const waits: Array<number> = []
  const keys: Array<string | null> = []
  let at = 0
  const client = new Carteiro({
    ...options,
    apiKey: "svc_sbx_test",
    timeoutMs: 1_000_000,
    timing: {
      now: () => 0,
      random: () => 0,
      sleep: (milliseconds, signal) => {
        // The deadline of a try passes only for an answer that never comes.
        if (milliseconds === 1_000_000) return answers[at] === "late" ? Promise.resolve() : new Promise(() => {})
        if (signal?.aborted === true) return Promise.reject(signal.reason)
        waits.push(milliseconds)
        return Promise.resolve()
      }
    },
    fetch: (_url, init) => {
      keys.push(new Headers(init?.headers).get("idempotency-key"))
      const answer = answers[at++]
      if (answer === undefined) throw new Error("asked more often than expected")
      if (answer === "late" || answer === "hangs") {
        return new Promise((_resolve, reject) => {
          init?.signal?.addEventListener("abort", () => reject(init.signal?.reason))
        })
      }
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
    }
  })
  return { client, waits, keys, asked: () => at }
}

const forever = new Promise<void>(() => {})
const body = { channel: "chatapp", sender: { type: "chatapp_phone_number", id: "pn_1" } } as never
const done = () => new Response('{"id":"msg_1"}', { status: 202 })

describe("Retries", () => {
  it("a send is repeated under one key after a cut connection, 429 and 503 A-ERR-39 A-ERR-41", async () => {
    const { client, keys, waits } = scripted([
      new TypeError("fetch failed"),
      refusal(429, "rate_limited", { retry_after_ms: 1_700 }),
      refusal(503, "service_unavailable", {}, { "retry-after": "3" }),
      done()
    ])
    assert.strictEqual((await client.messages.send(body)).id, "msg_1")
    assert.strictEqual(new Set(keys).size, 1)
    assert.match(keys[0] ?? "", /^[0-9a-f-]{36}$/)
    assert.deepStrictEqual(waits, [250, 1_700, 3_000])
  })

  it("a refusal is final A-ERR-40", async () => {
    for (const status of [400, 401, 402, 403, 404, 409, 413]) {
      const { asked, client } = scripted([refusal(status, "some_code")])
      await client.messages.send(body).catch(() => {})
      assert.strictEqual(asked(), 1, String(status))
    }
  })

  it("waits out the 409 of its own earlier attempt, and treats a first one as final A-ERR-40", async () => {
    const own = scripted([new TypeError("cut"), refusal(409, "idempotency_key_in_progress"), done()])
    assert.strictEqual((await own.client.messages.send(body)).id, "msg_1")
    const other = scripted([refusal(409, "idempotency_key_in_progress")])
    await other.client.messages.send(body, { idempotencyKey: "mine" }).catch(() => {})
    assert.strictEqual(other.asked(), 1)
  })

  it("outlasts the 20 seconds for which a lost server holds the key of the call's own earlier try A-IDEM-07", async () => {
    const waiting = () => refusal(409, "idempotency_key_in_progress")
    const lost = scripted([new TypeError("cut"), ...Array.from({ length: 60 }, waiting)])
    const error = await lost.client.messages.send(body).catch((failure: unknown) => failure)
    assert.strictEqual((error as CarteiroApiError).code, "idempotency_key_in_progress")
    const waited = lost.waits.slice(1).reduce((all, one) => all + one, 0)
    assert.isAtLeast(waited, 30_000)
    assert.isBelow(waited, 34_000)
    assert.strictEqual(new Set(lost.keys).size, 1)
    // The wait takes none of the retries that failures have.
    const freed = scripted(
      [new TypeError("cut"), ...Array.from({ length: 12 }, waiting), refusal(503, "a"), new TypeError("cut"), done()],
      { maxRetries: 3 }
    )
    assert.strictEqual((await freed.client.messages.send(body)).id, "msg_1")
  })

  it("never repeats a write without a key A-ERR-39", async () => {
    const { asked, client } = scripted([new TypeError("cut")])
    await client.webhooks.endpoints.delete("we_1").then(
      () => assert.fail("answered"),
      (error) => assert.instanceOf(error, CarteiroConnectionError)
    )
    assert.strictEqual(asked(), 1)
  })

  it("a read is repeated without a key, and ends with the last error", async () => {
    const { asked, client, keys } = scripted([refusal(500, "a"), refusal(500, "b"), refusal(500, "c")], {
      maxRetries: 2
    })
    const error = await client.messages.get("msg_1").then(
      () => assert.fail("answered"),
      (failure) => failure
    )
    assert.strictEqual((error as CarteiroApiError).code, "c")
    assert.strictEqual(asked(), 3)
    assert.deepStrictEqual(keys, [null, null, null])
  })

  it("an attempt without an answer ends at its deadline as a timeout", async () => {
    const { client } = scripted(["late"], { maxRetries: 0 })
    const error = await client.messages.get("msg_1").catch((failure: unknown) => failure)
    assert.instanceOf(error, CarteiroTimeoutError)
  })

  it("a caller's abort ends the call with the caller's reason, without another attempt", async () => {
    const { asked, client } = scripted(["hangs"])
    const controller = new AbortController()
    const call = client.messages.get("msg_1", { signal: controller.signal })
    controller.abort(new Error("enough"))
    const error = await call.catch((failure: unknown) => failure)
    assert.strictEqual((error as Error).message, "enough")
    assert.strictEqual(asked(), 1)
  })

  it("a wait of more than a minute is left to the caller", async () => {
    const { asked, client } = scripted([refusal(429, "rate_limited", { type: "rate_limited", retry_after_ms: 60_001 })])
    const error = await client.messages.list().catch((failure: unknown) => failure)
    assert.instanceOf(error, CarteiroRateLimitError)
    assert.strictEqual(asked(), 1)
  })

  it("an answer that is no JSON, as from a proxy, is repeated under the key A-ERR-39", async () => {
    const { client, keys } = scripted([new Response("<html>", { status: 200 }), done()])
    assert.strictEqual((await client.messages.send(body)).id, "msg_1")
    assert.strictEqual(new Set(keys).size, 1)
  })

  it("a redirect is final, and the key is not sent there", async () => {
    const { asked, client } = scripted([new Response("", { status: 302, headers: { location: "https://a.example" } })])
    const error = await client.messages.get("msg_1").catch((failure: unknown) => failure)
    assert.match((error as Error).message, /redirects: baseUrl must be/)
    assert.strictEqual(asked(), 1)
  })

  it("a Retry-After of a date is counted from the date of the answer A-ERR-41", async () => {
    const date = "Thu, 01 Jan 2026 00:00:00 GMT"
    const { client, waits } = scripted([
      refusal(503, "a", {}, { date, "retry-after": "Thu, 01 Jan 2026 00:00:07 GMT" }),
      done()
    ])
    await client.messages.send(body)
    assert.deepStrictEqual(waits, [7_000])
  })

  it("hooks see each attempt with the key masked, and a throwing hook ends the call", async () => {
    const seen: Array<string> = []
    const answers = [refusal(503, "service_unavailable", { type: "service_unavailable" }), done()]
    const fetch = () => Promise.resolve(answers.shift() ?? Response.error())
    const timing = { now: () => 0, random: () => 0, sleep: (ms: number) => (ms < 9_000 ? Promise.resolve() : forever) }
    const hooked = new Carteiro({
      apiKey: "svc_sbx_secret",
      fetch,
      timing,
      onRequest: (request) => void seen.push(`${request.attempt} ${request.headers.authorization}`),
      onResponse: ({ error, request, status }) =>
        void seen.push(`${request.headers.authorization} ${status} ${error?.name}`)
    })
    await hooked.messages.send(body)
    assert.deepStrictEqual(seen, [
      "1 Bearer ***",
      "Bearer *** 503 CarteiroServiceUnavailableError",
      "2 Bearer ***",
      "Bearer *** 202 undefined"
    ])
    let asked = 0
    const failing = new Carteiro({
      apiKey: "svc_sbx_test",
      timing,
      fetch: () => Promise.resolve(asked++ === 0 ? done() : Response.error()),
      onResponse: () => {
        throw new Error("of the hook")
      }
    })
    const error = await failing.messages.send(body).catch((failure: unknown) => failure)
    assert.deepStrictEqual([(error as Error).message, asked], ["of the hook", 1])
  })

  it("a caller's abort ends a streamed answer too", async () => {
    const controller = new AbortController()
    let signal: AbortSignal | null | undefined
    const client = new Carteiro({
      apiKey: "svc_sbx_test",
      fetch: (_url, init) => {
        signal = init?.signal
        return Promise.resolve(new Response("{}"))
      }
    })
    await client.messages.get("msg_1", { signal: controller.signal })
    controller.abort()
    assert.isTrue(signal?.aborted)
  })

  it("no wait is shorter than the server states, and none without one exceeds eight seconds A-ERR-41", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.option(fc.integer({ min: 0, max: 60_000 }), { nil: undefined }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, stated, random) => {
          const text = JSON.stringify({ error: stated === undefined ? {} : { retry_after_ms: stated } })
          const error = apiErrorOf(503, new Headers(), text)
          const wait = retryDelay(
            { error, attempt, failures: attempt, repeatable: true, maxRetries: 30, waitedMs: 0 },
            random
          )
          assert.isDefined(wait)
          assert.isAtLeast(wait ?? 0, stated ?? 250)
          assert.isAtMost(wait ?? 0, stated === undefined ? 8_000 : stated * 1.1)
        }
      )
    )
  })
})
