import type { ConnectionLimits } from "@carteiro/tables/ConnectionLimits.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { Context, Effect, Layer } from "effect"
import {
  MessageStorage,
  RunnerAddress,
  RunnerHealth,
  RunnerServer,
  RunnerStorage,
  Runners,
  Sharding,
  type ShardingConfig,
  SqlRunnerStorage
} from "effect/cluster"
import { RpcServer } from "effect/rpc"
import { SqlClient } from "effect/sql"
import { Refusals } from "../Refusals.ts"
import { clusterMetrics } from "../telemetry/EngineMetrics.ts"
import { Instruments } from "../telemetry/Instruments.ts"
import type { AddressRefused } from "./AddressRefused.ts"
import { layerIncoming } from "./IncomingLinks.ts"
import { hidingDeadRunners, LiveRunners, recordingLockSession } from "./LockSessions.ts"
import { layerOutgoing, layerRunners } from "./OutgoingLinks.ts"
import { quietOnLeave } from "./OwnLeave.ts"
import { patientLocks } from "./PatientLocks.ts"
import { Peers } from "./Peers.ts"
import { ClusterReadiness } from "./Readiness.ts"
import { layerClientProtocol, layerSerialization, layerServer } from "./RunnerSockets.ts"
import { checkListenHost, type RunnerTls, type UnprotectedRunner } from "./RunnerTls.ts"
import { fencedRunnerStorage, layerFenced, ShardEpochs } from "./ShardEpochs.ts"
import { SurplusLocks } from "./SurplusLocks.ts"
import { takenAgain } from "./TakenAgain.ts"
import { layerConfig, layerMemoryConfig } from "./Timings.ts"
import { unburdened } from "./Unburdened.ts"

export { ClusterReadiness } from "./Readiness.ts"
export { type RunnerTls, UnprotectedRunner } from "./RunnerTls.ts"

/** Services of every node, whatever its role. */
export type ClusterServices = Sharding.Sharding | ShardEpochs | ClusterReadiness

// Shard locks are tried, never waited for. A new epoch waits for commits under the old one, which end within their own
// limit.
const lockLimits: ConnectionLimits = { statementMs: 5000, lockMs: 4000, idleInTransactionMs: 10_000 }
const lockConnections = 3

// The runners and their sessions are a row for each node, which are all read: no index serves that.
const lockOptions = { maxConnections: lockConnections, limits: lockLimits, scansTables: true }

/**
 * Stores locks and membership in the database, on a small pool of its own: request traffic must never keep a node from
 * confirming its locks.
 */
const layerStorage = (url: string, name: string, self: RunnerAddress.RunnerAddress | undefined) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const storage = yield* Effect.provideService(
        SqlRunnerStorage.make({}),
        SqlClient.SqlClient,
        self === undefined ? sql : recordingLockSession(sql, self, clusterMetrics(yield* Instruments).lockSessions)
      )
      const peers = yield* Peers
      const watched = hidingDeadRunners({ storage, sql, peers, self })
      const surplus = new SurplusLocks()
      const fenced = yield* fencedRunnerStorage(patientLocks(surplus.noting(watched.storage)))
      return Context.make(RunnerStorage.RunnerStorage, surplus.watching(fenced.storage)).pipe(
        Context.add(ShardEpochs, fenced.service),
        Context.add(LiveRunners, watched.live)
      )
    })
  ).pipe(Layer.provide(Layer.fresh(Sql.layer(url, { applicationName: name, ...lockOptions }))), Layer.orDie)

/** One process that owns every shard and needs no sockets; locks and epochs are still taken in the database. */
export const layerSingle = (options: { readonly url: string }): Layer.Layer<ClusterServices> => {
  const address = RunnerAddress.make("localhost", 34431)
  return ClusterReadiness.layerHosting.pipe(
    Layer.provideMerge(Sharding.layer),
    Layer.provide(Runners.layerNoop),
    Layer.provide(MessageStorage.layerNoop),
    Layer.provideMerge(layerStorage(options.url, "carteiro-locks", address)),
    Layer.provide([RunnerHealth.layerNoop, Peers.layer(undefined), layerConfig({ address })]),
    unburdened,
    quietOnLeave
  )
}

/** The address of a node with shards, and its certificate. */
export interface ShardNode {
  /** The URL of the cluster's database. */
  readonly url: string
  /** The address that other nodes call. */
  readonly host: string
  readonly port: number
  /** The address it binds, when it differs. */
  readonly listenHost?: string
  readonly tls?: RunnerTls | undefined
  /** True when batched calls travel over links; the default. */
  readonly link?: boolean | undefined
}

/** A node that owns shards and that other nodes call over sockets. */
export const layerShard = (
  options: ShardNode
): Layer.Layer<ClusterServices, UnprotectedRunner | AddressRefused, Refusals> => {
  const address = RunnerAddress.make(options.host, options.port)
  const listen = RunnerAddress.make(options.listenHost ?? options.host, options.port)
  const sockets = Layer.merge(layerServer(listen, options.tls), layerClientProtocol)
  const node = (links: Layer.Layer<never, never, Peers | ShardEpochs>) =>
    ClusterReadiness.layerHosting.pipe(
      Layer.provideMerge(hostingRunner),
      Layer.provide(Layer.provide(RunnerHealth.layerPing, layerRunners)),
      Layer.provide(sockets),
      Layer.provideMerge(links),
      withStorage(options, { address, listen }),
      unburdened,
      quietOnLeave
    )
  return Layer.unwrap(
    Effect.gen(function* () {
      yield* checkListenHost(listen.host, options.tls)
      if (options.link === false) return node(Layer.empty)
      // The node is built without the product's services around it, and its links need this one.
      const refusals = Layer.succeed(Refusals, yield* Refusals)
      return node(Layer.merge(layerIncoming, layerOutgoing()).pipe(Layer.provide(refusals)))
    })
  )
}

/** The runtime library's runner as its own layer builds it, over runners from which links learn addresses. */
const hostingRunner = RunnerServer.layer.pipe(
  Layer.provideMerge(Sharding.layer),
  Layer.provideMerge(layerRunners),
  Layer.provide(RpcServer.layerProtocolSocketServer)
)

/** A node that owns nothing and calls owners over sockets. */
export const layerEdge = (
  options: Pick<ShardNode, "url" | "tls" | "link">
): Layer.Layer<ClusterServices, never, Refusals> =>
  ClusterReadiness.layerCalling.pipe(
    Layer.provideMerge(Sharding.layer),
    Layer.provideMerge(layerRunners),
    Layer.provide([layerClientProtocol, RunnerHealth.layerNoop]),
    Layer.provideMerge(options.link === false ? Layer.empty : layerOutgoing()),
    withStorage(options, {})
  )

const withStorage =
  (
    options: { readonly url: string; readonly tls?: RunnerTls | undefined },
    node: { readonly address?: RunnerAddress.RunnerAddress; readonly listen?: RunnerAddress.RunnerAddress }
  ) =>
  <A, E>(
    layer: Layer.Layer<
      A,
      E,
      | Refusals
      | MessageStorage.MessageStorage
      | RunnerStorage.RunnerStorage
      | ShardEpochs
      | LiveRunners
      | Peers
      | ShardingConfig.ShardingConfig
      | Layer.Success<typeof layerSerialization>
    >
  ) =>
    layer.pipe(
      Layer.provide([MessageStorage.layerNoop, layerSerialization]),
      Layer.provideMerge(layerStorage(options.url, "carteiro-locks", node.address)),
      Layer.provide([Peers.layer(options.tls), layerConfig(node)])
    )

/**
 * The runtime in memory for tests: one runner, a turned clock and real epochs in the database. The test supplies the
 * locks.
 */
export const layerMemoryOver = (locks: Layer.Layer<RunnerStorage.RunnerStorage>, granting = layerFenced) =>
  Sharding.layer.pipe(
    Layer.provideMerge(Runners.layerNoop),
    Layer.provideMerge(MessageStorage.layerNoop),
    Layer.provideMerge(granting.pipe(Layer.provide(locks))),
    Layer.provide(RunnerHealth.layerNoop),
    Layer.provide(layerMemoryConfig)
  )

const layerTakenAgain = Layer.effect(
  RunnerStorage.RunnerStorage,
  Effect.map(RunnerStorage.RunnerStorage, takenAgain)
).pipe(Layer.provideMerge(layerFenced))

/** The runtime in memory with locks that are never lost. */
export const layerMemory = layerMemoryOver(RunnerStorage.layerMemory, layerTakenAgain)
