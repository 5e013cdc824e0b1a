import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { Calls, operatorUrl } from "@carteiro/outbound/Calls.ts"
import { BrokenCall, vendorFetch } from "@carteiro/vendor-http/VendorFetch.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { vendorCalls } from "../support/Vendors.ts"

/** A vendor on this machine, and the fetch that an official client of it is given. */
const stage = Effect.fnUntraced(function* (listener: RequestListener) {
  const server = createServer(listener)
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.sync(() => server.closeAllConnections() ?? server.close())
  )
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, fetch: vendorFetch(yield* Calls, operatorUrl(`${origin}/v1`)) }
})

const broken = (call: Promise<unknown>) =>
  Effect.promise(() =>
    call.then(
      () => assert.fail("the call was answered"),
      (error: unknown) => (error instanceof BrokenCall ? error : assert.fail(String(error)))
    )
  )

describe("the fetch of an official client", () => {
  it.live("sends method, headers and body as they are, and returns status, headers and body", () =>
    Effect.gen(function* () {
      const { fetch, origin } = yield* stage((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          response.writeHead(402, { "content-type": "application/json", "request-id": "req_1" })
          response.end(
            JSON.stringify([
              request.method,
              request.url,
              request.headers["idempotency-key"],
              String(Buffer.concat(chunks))
            ])
          )
        })
      })
      const answer = yield* Effect.promise(() =>
        fetch(`${origin}/v1/refunds?limit=2`, {
          method: "POST",
          headers: { "Idempotency-Key": "k" },
          body: "amount=450"
        })
      )
      assert.strictEqual(answer.status, 402)
      assert.strictEqual(answer.headers.get("request-id"), "req_1")
      const body = yield* Effect.promise(() => answer.json())
      assert.deepStrictEqual(body, ["POST", "/v1/refunds?limit=2", "k", "amount=450"])
    }).pipe(Effect.provide(vendorCalls()), Effect.scoped)
  )

  it.live("dials no other host, and follows no redirect to one", () =>
    Effect.gen(function* () {
      const { fetch, origin } = yield* stage((_request, response) => {
        response.writeHead(302, { location: "http://127.0.0.1:9/elsewhere" })
        response.end()
      })
      assert.isFalse((yield* broken(fetch("http://127.0.0.1:9/v1/refunds"))).began)
      assert.strictEqual((yield* Effect.promise(() => fetch(`${origin}/v1/refunds`))).status, 302)
    }).pipe(Effect.provide(vendorCalls()), Effect.scoped)
  )

  it.live("says of a call that broke whether it may have arrived", () =>
    Effect.gen(function* () {
      const { fetch, origin } = yield* stage((request) => request.socket.destroy())
      assert.isTrue((yield* broken(fetch(`${origin}/v1/refunds`, { method: "POST", body: "amount=450" }))).began)
    }).pipe(Effect.provide(vendorCalls()), Effect.scoped)
  )
})
