import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readDevFile } from "@carteiro/runtime/boot/DevFile.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { launcher } from "../cluster/LauncherProcess.ts"
import { type CollectedSpan, collector, printedTrace } from "../support/Collector.ts"
import { startedNode } from "../support/StartedNode.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

/** A real process, on a machine that may be busy with other files. In milliseconds. */
const patience = 240_000
const customer = "+5511912345678"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-traces-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** A receiver of webhooks that keeps the headers of what it gets. */
const receiver = Effect.acquireRelease(
  Effect.callback<{ readonly origin: string; readonly got: Array<IncomingHttpHeaders>; readonly close: () => void }>(
    (resume) => {
      const got: Array<IncomingHttpHeaders> = []
      const server = createServer((request, response) => {
        request.resume()
        request.on("end", () => {
          got.push(request.headers)
          response.end()
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const close = () => {
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got, close }))
      })
    }
  ),
  ({ close }) => Effect.sync(close)
)

/** The span of this name that stands right below another. */
const below = (trace: ReadonlyArray<CollectedSpan>, name: string, parent?: CollectedSpan): CollectedSpan => {
  const found = trace.find(
    (span) => span.name === name && (parent === undefined || span.parentSpanId === parent.spanId)
  )
  return found ?? assert.fail(`no span ${name} below ${parent?.name ?? "anything"}:\n${printedTrace(trace, [])}`)
}

const sendOf = (numberId: string | null) => ({
  channel: "chatapp",
  sender: { type: "chatapp_phone_number", id: numberId },
  recipient: { type: "phone_e164", id: customer },
  message: { type: "template", template: { name: "welcome", language: "pt_BR", variables: { 1: "Maria" } } }
})

/** A node that is traced in whole, a webhook endpoint of its production, and one send through the platform. */
const tracedSend = Effect.fnUntraced(function* (settings: Readonly<Record<string, string>>, headers: HeadersInit) {
  const { sent, spans, url } = yield* collector
  const hooks = yield* receiver
  const node = yield* startedNode({
    DATABASE_URL: yield* TestDatabase.create(),
    CARTEIRO_DATA_DIR: yield* folder,
    PORT: "0",
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: hooks.origin,
    ...settings
  })
  const { base_url, production } = node.file
  const call = (path: string, body: object, more: HeadersInit = {}) =>
    Effect.promise(async () => {
      const response = await fetch(`${base_url}${path}`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${production.api_key}`, "content-type": "application/json", ...more }
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    })
  const endpoint = yield* call("/v1/webhook-endpoints", {
    url: `${hooks.origin}/hook/secret-path`,
    subscribed_events: ["message.sent"]
  })
  assert.strictEqual(endpoint.status, 201, endpoint.text)
  const answer = yield* call("/v1/messages", sendOf(production.phone_number_id), headers)
  assert.strictEqual(answer.status, 202, answer.text)
  yield* until(Effect.sync(() => hooks.got.length > 0))
  node.signal("SIGTERM")
  yield* node.exited
  return { sent, spans: spans(), answer, hook: hooks.got[0] ?? {}, production }
})

describe("Traces", () => {
  it.live(
    "one send is one trace, from the request over owner and commit to the provider and the webhook A-CONV-23",
    () =>
      Effect.gen(function* () {
        const { answer, hook, production, sent, spans } = yield* tracedSend({ CARTEIRO_TRACE_SAMPLE: "1" }, {})
        const traceId = answer.headers.get("svc-trace-id") ?? ""
        const message = JSON.parse(answer.text).id
        const trace = spans.filter((span) => span.traceId === traceId)

        const request = below(trace, "POST /v1/messages")
        assert.strictEqual(request.parentSpanId, "")
        assert.deepInclude(request.attributes, {
          "carteiro.trace_id": traceId,
          "carteiro.request_id": answer.headers.get("svc-request-id") ?? "",
          "carteiro.environment_id": production.environment_id,
          "http.request.method": "POST",
          "http.route": "/v1/messages",
          "http.response.status_code": 202
        })
        const accept = below(trace, "PhoneNumber.Accept", request)
        const batch = below(trace, "PhoneNumber.Accept batch", accept)
        assert.deepInclude(batch.attributes, {
          "carteiro.owner.type": "PhoneNumber",
          "carteiro.owner.id": production.phone_number_id ?? "",
          "carteiro.operation": "Accept",
          "carteiro.batch.items": 1
        })
        const commit = below(trace, "commit", batch)
        assert.strictEqual(commit.attributes["carteiro.commit.units"], 1)
        assert.isAtMost(commit.endMillis, request.endMillis)

        const send = below(trace, "send message")
        assert.deepInclude(send.attributes, {
          "carteiro.trace_id": traceId,
          "carteiro.message_id": message,
          "carteiro.environment_id": production.environment_id
        })
        assert.deepEqual(
          send.links.map(({ spanId }) => spanId),
          [request.spanId]
        )
        assert.strictEqual(below(trace, "POST", send).attributes["http.response.status_code"], 200)

        const delivery = below(trace, "deliver webhook")
        assert.deepEqual(
          delivery.links.map(({ spanId }) => spanId),
          [request.spanId]
        )
        assert.strictEqual(hook.traceparent, `00-${traceId}-${below(trace, "POST", delivery).spanId}-01`)

        const exported = JSON.stringify(sent.filter(({ path }) => path === "/v1/traces"))
        for (const secret of [production.api_key, customer, customer.slice(1), "Maria", "secret-path"]) {
          assert.notInclude(exported, secret)
        }
      }),
    patience
  )

  it.live(
    "a caller cannot order sampling: with a share of 0 nothing is traced or propagated",
    () =>
      Effect.gen(function* () {
        const asked = { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`, "svc-trace-id": "c".repeat(32) }
        const { hook, sent } = yield* tracedSend({ CARTEIRO_TRACE_SAMPLE: "0" }, asked)
        assert.isUndefined(hook.traceparent)
        assert.notInclude(JSON.stringify(sent.filter(({ path }) => path === "/v1/traces")), "POST /v1/messages")
      }),
    patience
  )

  it.live(
    "between nodes the trace travels with the call: the edge's and the owner's spans are one trace",
    () =>
      Effect.gen(function* () {
        const { spans, url } = yield* collector
        const cluster = yield* launcher({
          databaseUrl: yield* TestDatabase.create(),
          shards: 1,
          edges: 1,
          settings: { OTEL_EXPORTER_OTLP_ENDPOINT: url, CARTEIRO_TRACE_SAMPLE: "1" }
        })
        const { base_url, sandbox } = (yield* readDevFile(cluster.dataDir)) ?? assert.fail("no dev.json")
        const answer = yield* Effect.promise(() =>
          fetch(`${base_url}/v1/messages`, {
            method: "POST",
            headers: {
              authorization: `Bearer ${sandbox.api_key}`,
              "content-type": "application/json",
              "svc-trace-id": "one-of-our-own"
            },
            body: JSON.stringify(sendOf(sandbox.phone_number_id))
          })
        )
        assert.strictEqual(answer.status, 202)
        yield* cluster.stop
        const request =
          spans().find(({ attributes }) => attributes["carteiro.trace_id"] === "one-of-our-own") ??
          assert.fail("no span")
        assert.match(request.traceId, /^[0-9a-f]{32}$/)
        const trace = spans().filter(({ traceId }) => traceId === request.traceId)
        const accept = below(trace, "PhoneNumber.Accept", request)
        const batch = below(trace, "PhoneNumber.Accept batch", accept)
        below(trace, "commit", batch)
        assert.deepEqual(
          [accept, batch].map(({ role }) => role),
          ["edge", "shard"]
        )
      }),
    patience
  )
})
