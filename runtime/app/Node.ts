import { Draining, HttpServer } from "@carteiro/http-edge/Listener.ts"
import { Cursors } from "@carteiro/http-edge/Paging.ts"
import { AnswerLimits, Pipeline, standardShares } from "@carteiro/http-edge/Pipeline.ts"
import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { RouteTable } from "@carteiro/http-edge/Routes.ts"
import type { AddressRefused } from "@carteiro/owners/AddressRefused.ts"
import {
  Activations,
  ClusterReadiness,
  certificateGauges,
  layerEdge,
  layerShard,
  layerSingle,
  type RunnerTls,
  type UnprotectedRunner
} from "@carteiro/owners/Cluster.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { commitHealth, commitLayer } from "@carteiro/owners/CommitLayer.ts"
import { ClockHealth, clockHealth, layer as databaseClock } from "@carteiro/owners/DatabaseClock.ts"
import { failed, HealthChecks, passed } from "@carteiro/owners/HealthChecks.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { OutboundBudget } from "@carteiro/owners/Queue.ts"
import type { MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { patienceWith, ReadPatience } from "@carteiro/tables/ConnectionLimits.ts"
import { withinPatience } from "@carteiro/tables/Deadline.ts"
import * as Replica from "@carteiro/tables/Replica.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { Clock, Effect, Layer, Redacted, Ref } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { AdminServer } from "../admin/AdminServer.ts"
import { adminOfSupervisor, leaveTogether } from "../boot/processes/Supervised.ts"
import type { SettingsValues } from "../boot/Settings.ts"
import type { StartRefused } from "../boot/StartRefused.ts"
import { connectionLimits } from "../boot/settings/DatabaseSettings.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { Rates } from "../ratelimit/Rates.ts"
import { contractRefusals } from "../room/EngineTypes.ts"
import { replicaGauges } from "../telemetry/ReplicaGauges.ts"
import { serverGauges } from "../telemetry/ServerGauges.ts"
import * as Traces from "../telemetry/Traces.ts"
import { blobStore, mail, outbound, roomAnswers, roomOwners, roomRoutes, roomSettings } from "./Fold.ts"
import { type ReadyOptions, readyToAnswer, readyToOwn } from "./Ready.ts"

/** The checks behind the health endpoints. gaps-1 A "Health endpoints" */
const checks = Layer.effectDiscard(
  Effect.gen(function* () {
    const health = yield* HealthChecks
    const sql = yield* SqlClient.SqlClient
    const clock = yield* ClockHealth
    const cluster = yield* ClusterReadiness
    const draining = yield* Draining
    const answers = passed("PostgreSQL answers.")
    const silent = failed(
      "PostgreSQL does not answer; the log has the reason, DATABASE_URL says where it was looked for."
    )
    yield* health.add(
      "database",
      Effect.match(withinPatience(sql`select 1`, healthPatienceMs), {
        onFailure: () => silent,
        onSuccess: () => answers
      })
    )
    const stopping = failed("This node is stopping: it takes no new work.")
    yield* health.add(
      "queue",
      Effect.suspend(() => (draining.isDraining() ? Effect.succeed(stopping) : cluster.check))
    )
    const commit = yield* Commit
    yield* health.add(
      "commits",
      Effect.map(Clock.currentTimeMillis, (now) => commitHealth(commit.nextGivesUpAt(), now))
    )
    yield* health.add(
      "clock",
      Effect.sync(() => clockHealth(clock.status()))
    )
  })
)

/** A check has two seconds; a database that says nothing is told of by its own sentence. */
const healthPatienceMs = 1500

/** PostgreSQL with the replica for lists where one is set; a shard answers none. */
const sqlLayer = (settings: SettingsValues, url: string) => {
  const options = {
    applicationName: `carteiro-${settings.role}`,
    maxConnections: settings.databasePool,
    limits: connectionLimits(settings)
  }
  const { readDatabaseLagMs: maxLagMs, readDatabaseUrl } = settings
  return readDatabaseUrl === undefined || settings.role === "shard"
    ? Sql.layer(url, options)
    : Replica.layer(url, options, { url: Redacted.value(readDatabaseUrl), maxLagMs })
}

/** Services without a word of business, by what they need. */
const context = (settings: SettingsValues, url: string, keys: Redacted.Redacted<MasterKeys>) =>
  Layer.mergeAll(commitLayer, Outbox.layer, Cursors.layer).pipe(
    Layer.provideMerge(Traces.layer(settings.traceSample)),
    Layer.provideMerge(
      Layer.mergeAll(
        Ids.layer,
        Secrets.layer(keys),
        contractRefusals,
        Rates.layer(settings.rates.table),
        Activations.layer,
        OutboundBudget.layer({ sockets: settings.outboundSockets, bytes: settings.outboundBytes }),
        HealthChecks.layer,
        Draining.layer
      )
    ),
    // Everything above lives on the database's time.
    Layer.provideMerge(databaseClock),
    Layer.provideMerge(Layer.orDie(sqlLayer(settings, url))),
    Layer.provideMerge(Layer.succeed(ReadPatience, patienceWith(connectionLimits(settings)))),
    // No environment uses more than half of the connections.
    Layer.provideMerge(Layer.succeed(AnswerLimits, { ...standardShares, reads: settings.databasePool >> 1 }))
  )

/** Who the node is: its settings, where its database is, and what it proves itself to other nodes with. */
export interface NodeOptions extends ReadyOptions {
  readonly databaseUrl: string
  readonly tls: RunnerTls | undefined
}

/** A node in the role its settings name, ready line included. Architecture, section 8 */
export const nodeLayer = (
  options: NodeOptions
): Layer.Layer<never, StartRefused | UnprotectedRunner | AddressRefused | SqlError.SqlError> => {
  const { databaseUrl: url, settings, supervised, tls } = options
  const publicUrl = Ref.makeUnsafe(settings.publicUrl ?? "")
  const base = Layer.mergeAll(outbound(settings), blobStore(settings), mail(settings), roomAnswers).pipe(
    Layer.provideMerge(context(settings, url, options.keys)),
    Layer.provideMerge(roomSettings(settings)),
    Layer.provideMerge(Layer.succeed(PublicUrl, () => Ref.getUnsafe(publicUrl)))
  )
  const pages = supervised === undefined ? AdminServer.layer({ port: settings.adminPort }) : adminOfSupervisor
  const last = supervised === undefined ? Layer.empty : leaveTogether
  const certificates = tls === undefined ? Layer.empty : Layer.effectDiscard(certificateGauges(tls))
  const admin = Layer.provideMerge(Layer.merge(checks, certificates), pages).pipe(Layer.provide(last))
  const link = settings.runnerLink === "on"
  const shard = layerShard({ url, host: settings.runnerHost, port: settings.runnerPort, tls, link })
  const answering = Layer.mergeAll(readyToAnswer(options, publicUrl), serverGauges, replicaGauges).pipe(
    Layer.provide(
      HttpServer.layer({
        port: settings.port,
        host: settings.host,
        trustedProxies: settings.trustedProxies,
        limits: { bodyBytes: settings.requestBodyBytes, calls: settings.callsInFlight }
      })
    ),
    Layer.provide(Pipeline.layer),
    Layer.provide(roomRoutes),
    Layer.provide(RouteTable.layer)
  )
  switch (settings.role) {
    case "all":
      return answering.pipe(
        Layer.provide(admin),
        Layer.provide(roomOwners),
        Layer.provide(supervised === undefined ? layerSingle({ url }) : shard),
        Layer.provide(base)
      )
    case "edge":
      return answering.pipe(Layer.provide(admin), Layer.provide(layerEdge({ url, tls, link })), Layer.provide(base))
    case "shard":
      return readyToOwn(options).pipe(
        Layer.provide(admin),
        Layer.provide(roomOwners),
        Layer.provide(shard),
        Layer.provide(base)
      )
  }
}
