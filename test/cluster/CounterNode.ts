import { Activations } from "@carteiro/owners/Cluster.ts"
import { commitLayer } from "@carteiro/owners/CommitLayer.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { answer, batch, commit, defineOwner, longCall } from "@carteiro/owners/Owner.ts"
import { contractRefusals } from "@carteiro/runtime/room/EngineTypes.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { type Context, Effect, Exit, Layer, Redacted, Schema, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { layerEdge, layerShard, type RunnerTls } from "../../packages/owners/cluster/Cluster.ts"

/** One addition: the row of its id, and the counter moved by the same statement only if that row is new. */
const add = defineWrite({
  name: "additions.insert",
  columns: { id: "text", counter: "text" },
  target: (row) => `counters/${row.counter}`,
  before: [
    {
      name: "added",
      sql: (source) => `insert into additions (id, counter) select r.id, r.counter from ${source} r
        on conflict (id) do nothing returning counter`
    }
  ],
  sql: () => `insert into counters (counter, value) select counter, count(*) from added group by counter
    on conflict (counter) do update set value = counters.value + excluded.value`
})

/** Counts additions; answers with the name of the node that made them. */
const Counter = defineOwner("Counter", {
  Add: batch(Schema.Struct({ id: Schema.String }), Schema.String),
  Wait: longCall(Schema.Struct({}), Schema.String, { moved: () => "moved" })
})

/** An owner that asks another owner before it answers. */
const Relay = defineOwner("Relay", { Add: batch(Schema.Struct({ id: Schema.String }), Schema.String) })

const relayLayer = Relay.toLayer(
  Effect.map(Counter.client, (counters) => ({
    load: () => Effect.succeed({}),
    handlers: {
      Add: {
        read: (items, _state, owner) =>
          Effect.orDie(
            Effect.forEach(items, (item) => counters.Add(`behind ${owner.id}`, item), {
              concurrency: "unbounded"
            })
          ),
        decide: (items, answers: ReadonlyArray<string>) => items.map((_, index) => answer(answers[index] ?? ""))
      }
    }
  }))
)

const counterLayer = (name: string) =>
  Counter.toLayer(
    Effect.succeed({
      load: () => Effect.succeed({}),
      handlers: {
        Add: {
          decide: (items, _facts, _state, owner) =>
            items.map(({ id }) => commit({ rows: [add.row({ id, counter: owner.id })], value: name }))
        },
        Wait: { run: () => Effect.never }
      }
    })
  )

/** The tables of the counter, made once a database. */
export const counterTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create table additions (id text primary key, counter text not null)`
  yield* sql`create table counters (counter text primary key, value int8 not null)`
}).pipe(Effect.orDie)

const masterKeys = Redacted.make([new Uint8Array(32).fill(7)] as const)

/** The services that nodes share. */
export const services = (url: string, name: string) =>
  commitLayer.pipe(
    Layer.provideMerge(Layer.mergeAll(Ids.layer, contractRefusals, Activations.layer, Secrets.layer(masterKeys))),
    Layer.provideMerge(Layer.orDie(Sql.layer(url, { applicationName: name, maxConnections: 4 })))
  )

export interface ShardOptions {
  readonly url: string
  readonly name: string
  readonly port: number
  readonly tls?: RunnerTls
  readonly link?: boolean
}

/** A node that owns counters. */
export const shardNode = (options: ShardOptions) =>
  Layer.merge(counterLayer(options.name), relayLayer).pipe(
    Layer.provideMerge(layerShard({ ...options, host: "localhost" })),
    Layer.provideMerge(services(options.url, options.name))
  )

/** A node that only calls them. */
export const edgeNode = (options: Pick<ShardOptions, "url" | "tls" | "link">) =>
  layerEdge(options).pipe(Layer.provideMerge(services(options.url, "edge")))

/** Builds a node apart from all others; `stop` is a planned stop. */
export const start = Effect.fnUntraced(function* <A, E>(node: Layer.Layer<A, E>) {
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer((exit) => Scope.close(scope, exit))
  const context = yield* Layer.buildWithMemoMap(node, Layer.makeMemoMapUnsafe(), scope)
  return { context, stop: Scope.close(scope, Exit.void) }
})

type Edge = { readonly context: Context.Context<Layer.Success<ReturnType<typeof edgeNode>>> }

/** Calls counters from an edge. */
export const clientOf = (edge: Edge) => Effect.provideContext(Counter.client, edge.context)

/** Calls relays from an edge. */
export const relaysOf = (edge: Edge) => Effect.provideContext(Relay.client, edge.context)
