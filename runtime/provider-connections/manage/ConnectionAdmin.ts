import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, Effect, Layer } from "effect"
import { Commit } from "../../platform/commit/Commit.ts"
import { disconnectConnection, selectPayments } from "../connection/ConnectionWrites.ts"
import type { StoredConnection } from "../connection/StoredConnection.ts"
import { StoredConnectionRepo } from "../connection/StoredConnectionRepo.ts"

/** What people see and do about connections: the dashboard and the operator's commands. */
export class ConnectionAdmin extends Context.Service<
  ConnectionAdmin,
  {
    /** Newest first, those that are over included. */
    list(environmentId: string, count: number): Effect.Effect<ReadonlyArray<StoredConnection>>
    find(environmentId: string, id: string): Effect.Effect<StoredConnection | undefined>
    /** Its secrets are erased; false when it was over. `now` in epoch milliseconds. */
    disconnect(environmentId: string, id: string, now: number): Effect.Effect<boolean, ApiError>
    /** Payments go through it from now on. gaps-3 C "Which provider a payment uses" */
    select(environmentId: string, id: string, now: number): Effect.Effect<void, ApiError>
  }
>()("@carteiro/runtime/provider-connections/manage/ConnectionAdmin") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* StoredConnectionRepo
      const commit = yield* Commit
      return ConnectionAdmin.of({
        list: (environmentId, count) => repo.list(environmentId, {}, undefined, count),
        find: repo.find,
        disconnect: (environment_id, id, disconnected_at) =>
          Effect.map(commit.write([disconnectConnection.row({ environment_id, id, disconnected_at })]), (keys) =>
            keys(disconnectConnection.name).has(id)
          ),
        select: (environment_id, id, selected_at) =>
          Effect.asVoid(commit.write([selectPayments.row({ environment_id, id, selected_at })]))
      })
    })
  )
}
