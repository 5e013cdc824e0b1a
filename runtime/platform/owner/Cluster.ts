import { Layer } from "effect"
import {
  MessageStorage,
  RunnerHealth,
  RunnerStorage,
  Runners,
  Sharding,
  ShardingConfig,
  SqlRunnerStorage
} from "effect/cluster"
import { layerFenced } from "./ShardEpochs.ts"

/**
 * Part of the data format: an owner's shard is its id's hash modulo this. Changing it needs a full stop, since two
 * nodes with different numbers would not exclude each other.
 */
const shardsPerGroup = 128

/** Timings that decide how long a lost node's owners are away. Architecture, section 8 */
const timings = {
  shardLockRefreshInterval: "1500 millis",
  shardLockExpiration: "6 seconds",
  refreshAssignmentsInterval: "250 millis",
  entityTerminationTimeout: "5 seconds",
  sendRetryInterval: "50 millis"
} as const

/** One process that owns every shard and needs no sockets; locks and epochs are still taken in the database. */
export const layerSingle = Sharding.layer.pipe(
  Layer.provideMerge(Runners.layerNoop),
  Layer.provideMerge(MessageStorage.layerNoop),
  Layer.provideMerge(layerFenced.pipe(Layer.provide(Layer.orDie(SqlRunnerStorage.layer)))),
  Layer.provide(RunnerHealth.layerNoop),
  Layer.provide(
    ShardingConfig.layer({
      ...timings,
      shardsPerGroup,
      simulateRemoteSerialization: false,
      maxResidentEntities: 100_000
    })
  )
)

/** The runtime in memory for tests: one runner, a turned clock, real epochs in the database. */
export const layerMemory = Sharding.layer.pipe(
  Layer.provideMerge(Runners.layerNoop),
  Layer.provideMerge(MessageStorage.layerNoop),
  Layer.provideMerge(layerFenced.pipe(Layer.provide(RunnerStorage.layerMemory))),
  Layer.provide(RunnerHealth.layerNoop),
  Layer.provide(ShardingConfig.layer({ entityTerminationTimeout: 0, shardsPerGroup: 8 }))
)
