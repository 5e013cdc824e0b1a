import { Option } from "effect"
import { type RunnerAddress, ShardingConfig } from "effect/cluster"

/**
 * The number of shards, which is part of the data format: an owner's shard is its id's hash modulo this. Changing it
 * needs a full stop, because two nodes with different numbers would not exclude each other.
 */
export const shardsPerGroup = 128

/**
 * The time for which a frozen node keeps its shards, in milliseconds. A dead node is detected long before, by its lock
 * session.
 */
const leaseMs = 6000

/** The intervals that decide how long a lost node's owners are away, equal on all nodes. */
const timings = {
  shardLockRefreshInterval: "2 seconds",
  shardLockExpiration: leaseMs,
  /** The interval between two reads of the runners and their lock sessions. */
  refreshAssignmentsInterval: "250 millis",
  entityTerminationTimeout: "5 seconds",
  sendRetryInterval: "50 millis",
  // No message is stored: this only sets the time of the next try after a failed acquisition of shards.
  entityMessagePollInterval: "500 millis",
  runnerJoinDebounce: 0
} as const

/** Configures a node's part in the cluster: with an address it hosts owners, without one it only calls them. */
export const layerConfig = (options: {
  readonly address?: RunnerAddress.RunnerAddress
  readonly listen?: RunnerAddress.RunnerAddress
}) =>
  ShardingConfig.layer({
    ...timings,
    shardsPerGroup,
    runnerAddress: Option.fromUndefinedOr(options.address),
    runnerListenAddress: Option.fromUndefinedOr(options.listen),
    simulateRemoteSerialization: false,
    maxResidentEntities: 100_000,
    // A node that hosts nothing opens no lock session, which the server would end as idle.
    shardLockDisableAdvisory: options.address === undefined
  })

const off = "365 days"

/** The shards of the runtime in memory. */
export const memoryShards = 8

/**
 * The configuration for tests in memory: few shards, no wait at the end, and no cluster timer within a simulated month.
 */
export const layerMemoryConfig = ShardingConfig.layer({
  entityTerminationTimeout: 0,
  shardsPerGroup: memoryShards,
  refreshAssignmentsInterval: off,
  shardLockRefreshInterval: off,
  shardLockExpiration: off,
  runnerHealthCheckInterval: off,
  entityMessagePollInterval: off
})
