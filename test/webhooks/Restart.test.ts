import { Draining } from "@carteiro/http-edge/Listener.ts"
import { Cursors } from "@carteiro/http-edge/Paging.ts"
import { Activations } from "@carteiro/owners/Cluster.ts"
import { CommitFollowers } from "@carteiro/owners/Commit.ts"
import { commitLayer } from "@carteiro/owners/CommitLayer.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { OutboundBudget } from "@carteiro/owners/Queue.ts"
import { Outbox } from "@carteiro/runtime/outbox/Outbox.ts"
import { Rates } from "@carteiro/runtime/ratelimit/Rates.ts"
import { standardRates } from "@carteiro/runtime/ratelimit/RateTable.ts"
import { contractRefusals } from "@carteiro/runtime/room/EngineTypes.ts"
import { WebhookEndpointEntity } from "@carteiro/runtime/webhooks/owner/WebhookEndpointEntity.ts"
import * as Webhooks from "@carteiro/runtime/webhooks/room.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { layerMemory } from "../../packages/owners/cluster/Cluster.ts"
import { seedTenant } from "../support/Tenants.ts"
import { create } from "../support/TestDatabase.ts"
import { layerLiveClock } from "../support/TurnedClock.ts"
import { outgoing, raise, receiver, register, sweep } from "./Deliveries.ts"

/** A whole node over a database: all its state ends with its scope. */
const node = (url: string) =>
  Webhooks.room.actions.pipe(
    Layer.provideMerge(Webhooks.room.owners),
    Layer.provideMerge(Layer.mergeAll(outgoing, Draining.layer)),
    Layer.provideMerge(layerMemory),
    Layer.provideMerge(Layer.mergeAll(commitLayer, Outbox.layer)),
    Layer.provideMerge(
      Layer.mergeAll(
        Activations.layer,
        OutboundBudget.layer(),
        Ids.layer,
        contractRefusals,
        Cursors.layer,
        Rates.layer(standardRates),
        Layer.succeed(CommitFollowers, Webhooks.room.followers)
      )
    ),
    Layer.provideMerge(Secrets.layer(Redacted.make([new Uint8Array(32).fill(7)]))),
    Layer.provideMerge(Layer.orDie(Sql.layer(url, { applicationName: "carteiro-test-node" }))),
    Layer.provideMerge(layerLiveClock)
  )

/** Waits, turn by turn, until the condition is true. */
const until = (holds: Effect.Effect<boolean, unknown, SqlClient.SqlClient>) =>
  Effect.gen(function* () {
    while (!(yield* Effect.orDie(holds)))
      yield* Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
  })

const startOn = (url: string) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithMemoMap(node(url), Layer.makeMemoMapUnsafe(), scope)
    return { context, stop: Scope.close(scope, Exit.void) }
  })

it.live("a node that stops keeps the count of tests: the next one refuses the sixth of the minute A-WHT-08", () =>
  Effect.gen(function* () {
    const url = yield* create()
    const first = yield* startOn(url)
    const admitted = (id: string, environment_id: string) =>
      Effect.gen(function* () {
        const owners = yield* WebhookEndpointEntity.client
        const test = owners.AdmitTest(id, { environment_id, trace_id: "0" })
        return yield* Effect.match(test, { onFailure: (error) => error._tag, onSuccess: () => "admitted" })
      })
    const { id, environment_id } = yield* Effect.gen(function* () {
      const { sandbox } = yield* seedTenant("tests")
      const { id } = yield* register(sandbox, "http://127.0.0.1:1/")
      for (let n = 0; n < 5; n++) assert.strictEqual(yield* admitted(id, sandbox.id), "admitted")
      assert.strictEqual(yield* admitted(id, sandbox.id), "rate_limited")
      return { id, environment_id: sandbox.id }
    }).pipe(Effect.provideContext(first.context))
    yield* first.stop
    const second = yield* startOn(url)
    const sixth = yield* Effect.provideContext(admitted(id, environment_id), second.context)
    assert.strictEqual(sixth, "rate_limited")
    yield* second.stop
  })
)

it.live("a node that crashes leaves nothing undelivered: the next one sends the rest A-SIG-02 A-SIG-19", () =>
  Effect.gen(function* () {
    const url = yield* create()
    let up = false
    const { url: hook, received } = yield* receiver(() => (up ? 200 : "hang"))
    const first = yield* startOn(url)
    yield* Effect.gen(function* () {
      const { sandbox } = yield* seedTenant("restart")
      yield* register(sandbox, hook)
      yield* raise(sandbox, 30)
      yield* until(Effect.sync(() => received.length === 10))
    }).pipe(Effect.provideContext(first.context))
    yield* first.stop
    up = true
    const second = yield* startOn(url)
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // Attempts that timed out at the stop would be retried in some seconds; here they are made due now.
      yield* sql`update webhook_attempts set due_at = created_at where status = 'pending'`
      yield* sweep
      yield* until(
        Effect.map(sql`select 1 from webhook_attempts where status = 'pending'`, (pending) => pending.length === 0)
      )
      const delivered = yield* sql`select distinct webhook_event_id from webhook_attempts where status = 'succeeded'`
      assert.lengthOf(delivered, 30)
    }).pipe(Effect.provideContext(second.context))
    assert.strictEqual(new Set(received.map(({ headers }) => headers["svc-webhook-id"])).size, 30)
    yield* second.stop
  })
)
