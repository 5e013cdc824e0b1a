import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { Draining } from "@carteiro/http-edge/Listener.ts"
import { NameResolver } from "@carteiro/outbound/NameResolver.ts"
import { Outbound } from "@carteiro/outbound/Outbound.ts"
import { Activations } from "@carteiro/owners/Cluster.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Outbox } from "@carteiro/runtime/outbox/Outbox.ts"
import { DeliverySettings } from "@carteiro/runtime/webhooks/delivery/DeliverySettings.ts"
import { defaultRetrySchedules } from "@carteiro/runtime/webhooks/delivery/RetrySchedule.ts"
import { WebhookRegistry } from "@carteiro/runtime/webhooks/endpoint/WebhookRegistry.ts"
import * as Webhooks from "@carteiro/runtime/webhooks/room.ts"
import type { MessageEventType } from "@carteiro/schema/messages/MessageEvents.ts"
import type { SubscribableEventType } from "@carteiro/schema/webhooks/EventCatalog.ts"
import type { WebhookEndpointWithSecret } from "@carteiro/schema/webhooks/WebhookEndpoint.ts"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { TestClock } from "effect/testing"
import { sweepFrom } from "../../packages/owners/schedule/Sweeper.ts"
import { ApiTest } from "../support/ApiTest.ts"
import { OwnerTest, quiesce } from "../support/OwnerTest.ts"
import { sampleRow } from "../support/SampleEvents.ts"
import { served } from "../support/ServedRooms.ts"
import type { TestEnvironment } from "../support/Tenants.ts"

/** The origins of this process's receivers: exempt from the checks, like a developer's local receiver. */
const receivers = new Set<string>()

/** Outgoing calls to local receivers only, which may take that many milliseconds of real time. */
export const outgoingWithin = (timeoutMs: number) =>
  Layer.merge(
    Outbound.layer({ allowlist: receivers }),
    Layer.succeed(DeliverySettings, {
      schedules: defaultRetrySchedules,
      connectTimeoutMs: timeoutMs,
      totalTimeoutMs: timeoutMs
    })
  ).pipe(Layer.provideMerge(Layer.succeed(NameResolver, { resolve: () => Effect.succeed([]) })))

/** Outgoing calls with a timeout that a busy machine can meet. */
export const outgoing = outgoingWithin(2_000)

/** The room's owners and services on the harness of owner tests. */
export const DeliveryTest = OwnerTest(
  Webhooks.room.actions.pipe(
    Layer.provideMerge(Webhooks.room.owners),
    Layer.provideMerge(outgoing),
    Layer.provide(Draining.layer)
  ),
  Webhooks.room.followers
)

/** The room behind the whole HTTP stack, with the test's answers of other rooms. */
export const webhooksTest = (beneath: Layer.Layer<never>) =>
  ApiTest(
    served(Webhooks.room).pipe(Layer.provide(beneath)),
    Webhooks.room.owners.pipe(Layer.provide(beneath), Layer.provideMerge(outgoing)),
    { followers: Webhooks.room.followers }
  )

export const WebhooksTest = webhooksTest(Layer.empty)

/** One request as a receiver got it. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly rawBody: Buffer
}

/** A receiver's behaviour for a request; a function may answer later. */
export type Answer = number | "reset" | "hang" | "garbage" | ((respond: (status: number) => void) => void)

/** A real receiver; `answer` is called with each request's number from 0. */
export const receiver = (answer: (number: number, request: Received) => Answer = () => 200) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly received: Array<Received>; readonly server: Server }>((resume) => {
      const received: Array<Received> = []
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const one = { path: request.url ?? "", headers: request.headers, rawBody: Buffer.concat(chunks) }
          received.push(one)
          respond(answer(received.length - 1, one), request.socket, response)
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

const respond = (how: Answer, socket: Socket, response: ServerResponse): void => {
  if (how === "reset") socket.resetAndDestroy()
  else if (how === "garbage") socket.end("nonsense\r\n\r\n")
  else if (typeof how === "function") how((status) => respond(status, socket, response))
  else if (how !== "hang") {
    // A followed redirect would show as another failure class.
    response.writeHead(how, how >= 300 && how < 400 ? { location: "http://127.0.0.1:1/" } : {}).end("body")
  }
}

/** Registers an endpoint of an environment. */
export const register = Effect.fnUntraced(function* (
  environment: Pick<TestEnvironment, "id" | "kind">,
  url: string,
  subscribed_events: ReadonlyArray<SubscribableEventType> = ["message.received"]
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
  type: MessageEventType = "message.received"
) {
  const outbox = yield* Outbox
  const commit = yield* Commit
  const at = yield* Clock.currentTimeMillis
  yield* commit.write(
    Array.from({ length: count }, (_, n) =>
      sampleRow(outbox, type, {
        environment_id: environment.id,
        environment: environment.kind,
        source_id: `msg_${n}`,
        trace_id: "1".repeat(32),
        at
      })
    )
  )
})

/** One round of the sweeper: wakes the endpoints with due work and returns their ids. */
export const sweep = Effect.gen(function* () {
  const owners = yield* Webhooks.room.due[0]
  const activations = yield* Activations
  const ids: Array<string> = []
  yield* sweepFrom(owners, "", (id) => {
    ids.push(id)
    activations.wake(owners.type, id)
  })
  return ids
})

/**
 * Advances time by that many milliseconds, from one due attempt straight to the next; the sweeper wakes owners that are
 * not in memory. It does not stop at the cluster's own timers, because nothing of this room is due then.
 */
export const turnThrough = Effect.fnUntraced(function* (millis: number) {
  const sql = yield* SqlClient.SqlClient
  const clock = (yield* Clock.Clock) as TestClock.TestClock
  const until = clock.currentTimeMillisUnsafe() + millis
  while (true) {
    yield* quiesce
    const [row] = yield* sql<{ readonly next: number | null }>`select min(due_at) as next from webhook_attempts
      where status = 'pending' and due_at > ${new Date(clock.currentTimeMillisUnsafe())}`
    const next = row?.next ?? undefined
    if (next === undefined || next > until) break
    yield* clock.setTime(next)
    yield* sweep
  }
  yield* clock.setTime(until)
  yield* quiesce
})

/** An endpoint's attempts in the tables, oldest first. */
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
        readonly next_retry_at: number | null
        readonly created_at: number
        readonly completed_at: number | null
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
          readonly last_failure_at: number | null
          readonly last_success_at: number | null
        }>`select status, failures, probation, disabled_reason, disabled_detail, last_failure_at, last_success_at
        from webhook_endpoints where id = ${endpointId}`
    ),
    (rows) => rows[0]
  )
