import { Effect, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Access from "./access/Access.ts"
import type { SettingsValues } from "./boot/Settings.ts"
import * as Openapi from "./openapi/Openapi.ts"
import { AdminServer } from "./platform/admin/AdminServer.ts"
import { HealthChecks } from "./platform/admin/HealthChecks.ts"
import { ClockHealth, layer as databaseClock } from "./platform/clock/DatabaseClock.ts"
import { Commit } from "./platform/commit/Commit.ts"
import { Draining } from "./platform/http/Draining.ts"
import { HttpServer } from "./platform/http/HttpServer.ts"
import { Pipeline } from "./platform/http/Pipeline.ts"
import { RouteTable } from "./platform/http/RouteTable.ts"
import { CompletedResponses } from "./platform/idempotency/Completed.ts"
import { Ids } from "./platform/ids/Ids.ts"
import { Outbox } from "./platform/outbox/Outbox.ts"
import { layerSingle } from "./platform/owner/Cluster.ts"
import { Residents } from "./platform/owner/Residents.ts"
import { ShardEpochs } from "./platform/owner/ShardEpochs.ts"
import { Cursors } from "./platform/paging/Cursors.ts"
import { Rates } from "./platform/ratelimit/RateTable.ts"
import type { MasterKeys } from "./platform/secrets/MasterKeys.ts"
import { Secrets } from "./platform/secrets/Secrets.ts"
import * as Sql from "./platform/sql/Sql.ts"

/** What the health endpoints ask. gaps-1 A "Health endpoints" */
const checks = Layer.effectDiscard(
  Effect.gen(function* () {
    const health = yield* HealthChecks
    const sql = yield* SqlClient.SqlClient
    const clock = yield* ClockHealth
    const epochs = yield* ShardEpochs
    const draining = yield* Draining
    yield* health.add("database", Effect.match(sql`select 1`, { onFailure: () => false, onSuccess: () => true }))
    yield* health.add(
      "queue",
      Effect.sync(() => epochs.held() > 0 && !draining.isDraining())
    )
    yield* health.add(
      "clock",
      Effect.sync(() => clock.status().ready)
    )
  })
)

/** Services without a word of business, by what they need. */
const ground = (settings: SettingsValues, url: string, keys: Redacted.Redacted<MasterKeys>) =>
  Layer.mergeAll(Commit.layer, Outbox.layer, CompletedResponses.layer, Cursors.layer).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Ids.layer,
        Secrets.layer(keys),
        Rates.layer(settings.rates.table),
        Residents.layer,
        HealthChecks.layer,
        Draining.layer
      )
    ),
    // Everything above lives on the database's time.
    Layer.provideMerge(databaseClock),
    Layer.provideMerge(
      Layer.orDie(Sql.layer(url, { applicationName: `carteiro-${settings.role}`, maxConnections: 12 }))
    )
  )

/** A node in role `all`: owners, workers and the public listener in one process. */
export const nodeLayer = (settings: SettingsValues, url: string, keys: Redacted.Redacted<MasterKeys>) => {
  const owners = Layer.mergeAll(Access.ownersLayer)
  const rooms = Layer.mergeAll(Access.layer, Openapi.layer)
  const listener = HttpServer.layer({
    port: settings.port,
    host: settings.host,
    trustedProxies: settings.trustedProxies
  })
  return Layer.mergeAll(listener, AdminServer.layer({ port: settings.adminPort }), checks).pipe(
    Layer.provideMerge(Pipeline.layer),
    Layer.provideMerge(rooms),
    Layer.provideMerge(RouteTable.layer),
    Layer.provideMerge(owners),
    Layer.provideMerge(layerSingle({ url })),
    Layer.provideMerge(ground(settings, url, keys))
  )
}
