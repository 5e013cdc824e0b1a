import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { RequestObserver } from "@carteiro/http-edge/RequestObserver.ts"
import { layer, type TelemetryOptions } from "@carteiro/runtime/telemetry/Telemetry.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

interface Sent {
  readonly path: string
  readonly body: string
}

/** A collector that keeps what it is sent while the scope is open. */
const collector = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly sent: Array<Sent>; readonly close: () => void }>((resume) => {
    const sent: Array<Sent> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk) => chunks.push(chunk))
      request.on("end", () => {
        sent.push({ path: request.url ?? "", body: Buffer.concat(chunks).toString() })
        response.end()
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const close = () => {
        server.close()
        server.closeAllConnections()
      }
      resume(Effect.succeed({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent, close }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

const quiet = (lines: Array<string>, otlpEndpoint?: string): TelemetryOptions => ({
  level: "info",
  pretty: false,
  base: { role: "all" },
  destination: { write: (line) => lines.push(line) },
  otlpEndpoint,
  version: "0.1.0"
})
const key = "svc_live_0123456789abcdefABCDEF0123456789"

describe("Telemetry", () => {
  it.live("sends traces, logs and metrics to the collector without secrets, and still logs locally", () =>
    Effect.gen(function* () {
      const { url, sent } = yield* collector
      const lines: Array<string> = []
      const work = Effect.gen(function* () {
        const observe = yield* RequestObserver
        observe?.({
          operation: "me",
          method: "GET",
          status: 200,
          requestId: "r",
          traceId: "t",
          millis: 1,
          route: "/v1/me",
          keyId: "key_1"
        })
        yield* Effect.logInfo(`with ${key}`).pipe(Effect.annotateLogs("api_key", "plain"))
      })
      const traced = Effect.withSpan(work, "work", { attributes: { authorization: "plain", note: key } })
      yield* Effect.scoped(Effect.provide(traced, layer(quiet(lines, url))))
      const bodyOf = (path: string) =>
        sent
          .filter((one) => one.path === path)
          .map((one) => one.body)
          .join("")
      assert.include(bodyOf("/v1/logs"), "with [REDACTED]")
      assert.include(bodyOf("/v1/traces"), '"name":"work"')
      assert.include(bodyOf("/v1/metrics"), "http_server_request_duration_seconds")
      assert.include(bodyOf("/v1/metrics"), '"stringValue":"carteiro"')
      const all = JSON.stringify(sent) + lines.join("")
      assert.notInclude(all, key)
      assert.notInclude(all, "plain")
      assert.include(lines[0], "GET /v1/me 200 1 ms")
      assert.deepInclude(JSON.parse(lines.at(-1) ?? ""), { role: "all", msg: "with [REDACTED]", api_key: "[REDACTED]" })
    })
  )

  it.live("opens no connection when no collector is set", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      yield* Effect.provide(Effect.withSpan(Effect.logInfo("here"), "work"), layer(quiet(lines)))
      assert.lengthOf(lines, 1)
    })
  )
})
