import type { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { ClockOf } from "../clock/OwnerClocks.ts"
import type { ShardEpochs } from "../cluster/ShardEpochs.ts"
import type { Commit } from "../commit/Commit.ts"
import type { Behaviour } from "../protocol/Behaviour.ts"
import type { Tracing } from "../telemetry/Tracing.ts"
import type { Activations } from "./Activations.ts"

/** Services that all owners of one type on this node share. */
export interface ActivationContext<State> {
  readonly type: string
  readonly behaviour: Behaviour<State, Record<string, unknown>>
  readonly clock: Clock.Clock
  /** Reads the clock of an owner's tenant; undefined for owner types that use the node's clock. */
  readonly clockOf: ClockOf
  readonly commit: Commit["Service"]
  readonly epochs: ShardEpochs["Service"]
  readonly sql: SqlClient.SqlClient
  readonly activations: Activations["Service"]
  readonly fork: (effect: Effect.Effect<unknown>) => void
  readonly tracing: Tracing | undefined
  /** The interval at which an owner called without messages shows the cluster that it is in use, in milliseconds. */
  readonly seenEveryMs: number
}
