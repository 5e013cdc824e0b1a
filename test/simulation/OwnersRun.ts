import { Admission } from "@carteiro/http-edge/Admission.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import * as Messages from "@carteiro/runtime/messages/Messages.ts"
import type { Scenario } from "@carteiro/runtime/messages/sandbox/SandboxScenario.ts"
import { WebhookRegistry } from "@carteiro/runtime/webhooks/endpoint/WebhookRegistry.ts"
import { WebhookEndpointEntity } from "@carteiro/runtime/webhooks/owner/WebhookEndpointEntity.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { holdingClaim } from "../../packages/http-edge/pipeline/Claiming.ts"
import { hear, sendOf } from "../messages/Sending.ts"
import { seedNumber, type TestNumber } from "../support/Numbers.ts"
import { seedKey, seedTenant, type TestEnvironment } from "../support/Tenants.ts"
import type { Course } from "./Course.ts"
import type { Nodes } from "./Nodes.ts"
import type { Outside } from "./Outside.ts"

const subscribed = ["message.received", "message.sent", "message.delivered", "message.read", "message.failed"] as const

/** An environment of its own for one schedule: a number, and endpoints. */
export interface OwnersRun {
  readonly course: Course
  readonly nodes: Nodes
  readonly outside: Outside
  /** Reads what is stored, in real time. */
  readonly sql: SqlClient.SqlClient
  readonly environment: TestEnvironment
  /** Another key of it. */
  readonly second_key_id: string
  readonly number: TestNumber
  readonly endpoints: ReadonlyArray<{ readonly id: string; readonly url: string }>
}

/** Seeds what a schedule plays on. */
export const makeRun = Effect.fnUntraced(function* (
  context: Pick<OwnersRun, "course" | "nodes" | "outside" | "sql">,
  kind: EnvironmentKind
) {
  const { nodes, outside } = context
  const environment = (yield* nodes.beside(seedTenant("acme")))[kind]
  const second_key_id = (yield* nodes.beside(seedKey(environment))).key_id
  return yield* nodes.on(
    Effect.gen(function* () {
      const number = yield* seedNumber(environment)
      const registry = yield* WebhookRegistry
      const endpoints = yield* Effect.forEach([0, 1, 2], (n) =>
        Effect.gen(function* () {
          const url = `https://receiver-${n}.test/`
          outside.receivers.set(url, "up")
          const { body } = yield* registry.register(
            {
              caller: { environment_id: environment.id, environment: kind },
              now: yield* Clock.currentTimeMillis,
              traceId: "0"
            },
            { url, subscribed_events: [...subscribed] }
          )
          return { id: (JSON.parse(body) as { readonly id: string }).id, url }
        })
      )
      return { ...context, environment, second_key_id, number, endpoints } satisfies OwnersRun
    })
  )
})

/** One POST of a message as the edge makes it; `label` is stored with the message. */
export const send = (
  run: OwnersRun,
  ask: { readonly customer: string; readonly key: string | undefined; readonly label: string },
  scenario: Scenario
) =>
  Effect.gen(function* () {
    const admission = yield* Admission
    const owners = yield* Messages.PhoneNumberEntity.client
    const item = yield* sendOf(run.number, {
      customer_key: ask.customer,
      metadata: jsonText({ ask: ask.label }),
      scenario
    })
    const tryOnce = (asked: number): Effect.Effect<string, ApiError> =>
      Effect.flatMap(
        admission.admit({
          authorization: [`Bearer ${run.environment.key}`],
          ip: "127.0.0.1",
          traits: { scopes: ["messages:write"], rate: "write", validation: "" },
          operation: "simulated",
          rate: undefined,
          isRead: false,
          rateAfterIdempotency: false,
          idempotency: ask.key === undefined ? undefined : { key: ask.key, fingerprints: [ask.customer] }
        }),
        ({ claim, replay }) => {
          if (replay !== undefined) return Effect.succeed(replay.body)
          const accept = owners.Accept(run.number.id, { ...item, claim })
          return claim === undefined ? accept : holdingClaim(accept, admission, claim, asked, tryOnce)
        }
      )
    return yield* tryOnce(0)
  })

/** An inbound text, told again until it is taken. */
export const listenTo = (run: Pick<OwnersRun, "number">, customer: string, body: string) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const created_at = yield* Clock.currentTimeMillis
    const message = { id: ids.mint("msg", created_at), created_at, customer_key: customer, body }
    return yield* Effect.retry(hear(run.number, message), { times: 20 })
  })

/** PATCH of an endpoint's status. */
export const patch = (run: OwnersRun, nth: number, status: "active" | "disabled") =>
  Effect.flatMap(WebhookEndpointEntity.client, (owners) =>
    owners.Update(run.endpoints[nth]?.id ?? "", { environment_id: run.environment.id, trace_id: "0", status })
  )

/** All shards were taken by a node nobody sees, and came back: what owners hold is worth nothing any more. */
export const fence = (run: Pick<OwnersRun, "sql">) => Effect.orDie(run.sql`update shard_epochs set epoch = epoch + 1`)
