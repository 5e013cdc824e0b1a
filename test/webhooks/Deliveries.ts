import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { Commit } from "@carteiro/runtime/platform/commit/Commit.ts"
import { NameResolver } from "@carteiro/runtime/platform/outbound/NameResolver.ts"
import { Outbound } from "@carteiro/runtime/platform/outbound/Outbound.ts"
import { Outbox } from "@carteiro/runtime/platform/outbox/Outbox.ts"
import { DeliverySettings } from "@carteiro/runtime/webhooks/DeliverySettings.ts"
import { defaultRetrySchedules } from "@carteiro/runtime/webhooks/RetrySchedule.ts"
import { WebhookRegistry } from "@carteiro/runtime/webhooks/WebhookRegistry.ts"
import * as Webhooks from "@carteiro/runtime/webhooks/Webhooks.ts"
import type { WebhookEndpointWithSecret } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { OwnerTest } from "../support/OwnerTest.ts"
import type { TestEnvironment } from "../support/Tenants.ts"

/** Origins of the receivers of this process: exempt, as a developer's local receiver is. */
const receivers = new Set<string>()

/** Outgoing calls to local receivers only, with a short limit in real time. */
export const outgoing = Layer.merge(
  Outbound.layer({ allowlist: receivers }),
  Layer.succeed(DeliverySettings, {
    schedules: defaultRetrySchedules,
    connectTimeoutMs: 400,
    totalTimeoutMs: 400
  })
).pipe(Layer.provideMerge(Layer.succeed(NameResolver, { resolve: () => Effect.succeed([]) })))

/** The room's owners and services on the ground of owner tests. */
export const DeliveryTest = OwnerTest(
  Webhooks.servicesLayer.pipe(Layer.provideMerge(Webhooks.ownersLayer), Layer.provideMerge(outgoing)),
  Webhooks.followers
)

/** One request as a receiver got it. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly rawBody: Buffer
}

/** A real receiver; `answer` is its status for each request, asked with the request's number from 0. */
export const receiver = (
  answer: (number: number, request: Received) => number | "reset" | "hang" | "garbage" = () => 200
) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly received: Array<Received>; readonly server: Server }>((resume) => {
      const received: Array<Received> = []
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const one = { path: request.url ?? "", headers: request.headers, rawBody: Buffer.concat(chunks) }
          received.push(one)
          const how = answer(received.length - 1, one)
          const socket = request.socket as Socket
          if (how === "reset") socket.resetAndDestroy()
          else if (how === "garbage") socket.end("nonsense\r\n\r\n")
          else if (how !== "hang") {
            response.writeHead(how, how >= 300 && how < 400 ? { location: "http://127.0.0.1:1/" } : {}).end("body")
          }
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        receivers.add(origin)
        resume(Effect.succeed({ url: `${origin}/hook`, received, server }))
      })
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )

/** Registers an endpoint of an environment. */
export const register = Effect.fnUntraced(function* (
  environment: Pick<TestEnvironment, "id" | "kind">,
  url: string,
  subscribed_events: ReadonlyArray<"message.received" | "message.sent" | "payment.paid"> = ["message.received"]
) {
  const registry = yield* WebhookRegistry
  const answer = yield* registry.register(
    {
      caller: { environment_id: environment.id, environment: environment.kind },
      now: yield* Clock.currentTimeMillis,
      traceId: "0".repeat(32)
    },
    { url, subscribed_events }
  )
  return JSON.parse(answer.body) as WebhookEndpointWithSecret
})

/** Raises events as a room would, in one commit. */
export const raise = Effect.fnUntraced(function* (
  environment: Pick<TestEnvironment, "id" | "kind">,
  count = 1,
  type = "message.received"
) {
  const outbox = yield* Outbox
  const commit = yield* Commit
  const at = yield* Clock.currentTimeMillis
  yield* commit.write(
    Array.from({ length: count }, (_, n) =>
      outbox.event({
        environment_id: environment.id,
        environment: environment.kind,
        type,
        source_type: "message",
        source_id: `msg_${n}`,
        trace_id: "1".repeat(32),
        at,
        data: { n, text: "é 🙂" }
      })
    )
  )
})

/** What the tables hold of an endpoint's attempts, oldest first. */
export const attemptsOf = (endpointId: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<{
        readonly webhook_event_id: string
        readonly attempt: number
        readonly status: string
        readonly status_code: number | null
        readonly failure_class: string | null
        readonly error_message: string | null
        readonly response_body_redacted: string | null
        readonly next_retry_at: Date | null
        readonly created_at: Date
      }>`select * from webhook_attempts where endpoint_id = ${endpointId} order by webhook_event_id, attempt`
  )

/** An endpoint's row. */
export const endpointRow = (endpointId: string) =>
  Effect.map(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql<{
          readonly status: string
          readonly failures: number
          readonly probation: boolean
          readonly disabled_reason: string | null
          readonly disabled_detail: string | null
        }>`select * from webhook_endpoints where id = ${endpointId}`
    ),
    (rows) => rows[0]
  )
