import { Commit } from "@carteiro/owners/Commit.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { ProviderConnectionStatus } from "@carteiro/schema/provider-connections/ProviderConnection.ts"
import { walkOn } from "@carteiro/tables/BoundedWalk.ts"
import { Context, Effect, Layer } from "effect"
import { channelsOf } from "../connection/ChannelStatus.ts"
import { disconnectConnection, hastenHealth, selectPayments } from "../connection/ConnectionWrites.ts"
import type { StoredConnection } from "../connection/StoredConnection.ts"
import { type ConnectionFilter, StoredConnectionRepo } from "../connection/StoredConnectionRepo.ts"

/** Reads and changes connections for the dashboard and the operator's commands. */
export class ConnectionAdmin extends Context.Service<
  ConnectionAdmin,
  {
    /** Returns connections newest first, before the connection with that id, disconnected ones included. */
    list(
      environmentId: string,
      count: number,
      filter?: ConnectionFilter,
      before?: string | undefined
    ): Effect.Effect<ReadonlyArray<StoredConnection>>
    find(environmentId: string, id: string): Effect.Effect<StoredConnection | undefined>
    /** Returns whether each channel is ready. `now` in epoch milliseconds. M-CONN-23 */
    channels(
      environmentId: string,
      environment: EnvironmentKind,
      now: number
    ): Effect.Effect<ProviderConnectionStatus["channels"]>
    /**
     * Disconnects a connection and erases its secrets; false when it was already disconnected. `now` in epoch
     * milliseconds.
     */
    disconnect(environmentId: string, id: string, now: number): Effect.Effect<boolean, ApiError>
    /** Makes the health check of the environment's chat account due now. */
    lookNow(environmentId: string, now: number): Effect.Effect<void, ApiError>
    /** Selects the connection that payments use from now on. gaps-3 C "Which provider a payment uses" */
    select(environmentId: string, id: string, now: number): Effect.Effect<void, ApiError>
  }
>()("@carteiro/runtime/provider-connections/manage/ConnectionAdmin") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* StoredConnectionRepo
      const commit = yield* Commit
      return ConnectionAdmin.of({
        list: (environmentId, count, filter = {}, before) =>
          walkOn(count, (reached, rest) => repo.list(environmentId, filter, reached ?? before, rest)),
        find: repo.find,
        channels: (environmentId, environment, now) =>
          Effect.map(repo.current(environmentId), (connections) => channelsOf(connections, environment, now)),
        disconnect: (environment_id, id, disconnected_at) =>
          Effect.map(commit.write([disconnectConnection.row({ environment_id, id, disconnected_at })]), (keys) =>
            keys(disconnectConnection.name).has(id)
          ),
        lookNow: Effect.fnUntraced(function* (environment_id, health_due_at) {
          const live = yield* repo.live(environment_id, "chatapp")
          if (live !== undefined)
            yield* commit.write([hastenHealth.row({ environment_id, id: live.id, health_due_at })])
        }),
        select: (environment_id, id, selected_at) =>
          Effect.asVoid(commit.write([selectPayments.row({ environment_id, id, selected_at })]))
      })
    })
  )
}
