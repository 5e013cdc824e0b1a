import * as Messages from "@carteiro/runtime/messages/Messages.ts"
import { Admission } from "@carteiro/runtime/platform/admission/Admission.ts"
import { holdingClaim } from "@carteiro/runtime/platform/http/Claiming.ts"
import { ListenEntity } from "@carteiro/runtime/webhooks/ListenEntity.ts"
import { WebhookEndpointEntity } from "@carteiro/runtime/webhooks/WebhookEndpointEntity.ts"
import { WebhookRegistry } from "@carteiro/runtime/webhooks/Webhooks.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { hear, sendOf } from "../messages/Sending.ts"
import { seedNumber, type TestNumber } from "../support/Numbers.ts"
import { seedTenant, type TestEnvironment } from "../support/Tenants.ts"
import type { Nodes } from "./Node.ts"
import type { Outside } from "./Outside.ts"

const subscribed = ["message.received", "message.sent", "message.delivered", "message.read", "message.failed"] as const

/** An environment of its own for one schedule: a number, endpoints, and a reader of the stream. */
export interface OwnersRun {
  readonly nodes: Nodes
  readonly outside: Outside
  readonly environment: TestEnvironment
  readonly number: TestNumber
  readonly endpoints: ReadonlyArray<{ readonly id: string; readonly url: string }>
}

let runs = 0

/** Seeds what a schedule plays on; what another schedule left waiting stays where it is. */
export const makeRun = Effect.fnUntraced(function* (nodes: Nodes, outside: Outside, kind: EnvironmentKind) {
  const name = `run-${++runs}`
  return yield* nodes.on(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.orDie(sql`update webhook_attempts set status = 'failed' where status = 'pending'`)
      yield* Effect.orDie(sql`update messages set due_at = null where due_at is not null`)
      const tenant = yield* seedTenant(name)
      const environment = tenant[kind]
      const number = yield* seedNumber(environment)
      const registry = yield* WebhookRegistry
      const endpoints = yield* Effect.forEach([0, 1, 2], (n) =>
        Effect.gen(function* () {
          const url = `https://receiver-${n}.${name}.test/`
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
      return { nodes, outside, environment, number, endpoints } satisfies OwnersRun
    })
  )
})

/** One POST of a message, let in by the environment's owner and accepted by the number's. */
export const send = (run: OwnersRun, customer: string, key: string | undefined) =>
  Effect.gen(function* () {
    const admission = yield* Admission
    const owners = yield* Messages.PhoneNumberEntity.client
    const item = yield* sendOf(run.number, { customer_key: customer })
    const ask = (asked: number): Effect.Effect<string, ApiError> =>
      Effect.flatMap(
        admission.admit({
          authorization: [`Bearer ${run.environment.key}`],
          ip: "127.0.0.1",
          traits: { scopes: ["messages:write"], rate: "write", validation: "" },
          operation: "simulated",
          rate: undefined,
          rateAfterIdempotency: false,
          idempotency: key === undefined ? undefined : { key, fingerprint: customer }
        }),
        ({ claim, replay }) => {
          if (replay !== undefined) return Effect.succeed(replay.body)
          const accept = owners.call("Accept", run.number.id, { ...item, idempotency: claim })
          return claim === undefined ? accept : holdingClaim(accept, admission, claim, asked, ask)
        }
      )
    return yield* ask(0)
  })

/** An inbound text. */
export const listenTo = (run: OwnersRun, customer: string, body: string) =>
  hear(run.number, { customer_key: customer, body })

/** PATCH of an endpoint's status. */
export const patch = (run: OwnersRun, nth: number, status: "active" | "disabled") =>
  Effect.flatMap(WebhookEndpointEntity.client, (owners) =>
    owners.call("Update", run.endpoints[nth]?.id ?? "", { environment_id: run.environment.id, trace_id: "0", status })
  )

/** One page of the stream. */
export const page = (run: OwnersRun, after: number, limit: number) =>
  Effect.flatMap(ListenEntity.client, (owners) =>
    owners.call("Read", run.environment.id, {
      api_key_id: run.environment.key_id,
      session_id: undefined,
      limit,
      types: undefined,
      after
    })
  )

/** All shards are taken by a node nobody sees: what owners hold is worth nothing any more. */
export const fence = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.orDie(sql`update shard_epochs set epoch = epoch + 1`)
)
