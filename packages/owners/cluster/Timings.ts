import { Option } from "effect"
import { type RunnerAddress, ShardingConfig } from "effect/cluster"

/**
 * Part of the data format: an owner's shard is its id's hash modulo this. Changing it needs a full stop, since two
 * nodes with different numbers would not exclude each other.
 */
export const shardsPerGroup = 128

/** How long a frozen node keeps its shards, in milliseconds. A dead node is seen by its session, long before. */
const leaseMs = 6000

/**
 * Every interval that decides how long a lost node's owners are away, the same on all nodes.
 * Architecture, section 8
 */
const timings = {
  shardLockRefreshInterval: "2 seconds",
  shardLockExpiration: leaseMs,
  /** Runners and their lock sessions are looked at this often. */
  refreshAssignmentsInterval: "250 millis",
  entityTerminationTimeout: "5 seconds",
  sendRetryInterval: "50 millis",
  // No message is stored: this only paces the next try after a failed acquisition of shards.
  entityMessagePollInterval: "500 millis",
  runnerJoinDebounce: 0
} as const

/** How a node takes part: with an address it hosts owners, without one it only calls them. */
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
    // A node that hosts nothing keeps no lock session that the server would end as idle.
    shardLockDisableAdvisory: options.address === undefined
  })

const off = "365 days"

/** For tests in memory: few shards, nothing waits at the end, and no timer of the cluster stands in a virtual month's way. */
export const layerMemoryConfig = ShardingConfig.layer({
  entityTerminationTimeout: 0,
  shardsPerGroup: 8,
  refreshAssignmentsInterval: off,
  shardLockRefreshInterval: off,
  shardLockExpiration: off,
  runnerHealthCheckInterval: off,
  entityMessagePollInterval: off
})
