import { type Reply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import type { RegisterNumprov, RotateNumprov } from "@carteiro/schema/provider-connections/NumprovConnectionsApi.ts"
import * as Errors from "@carteiro/schema/provider-connections/NumprovErrors.ts"
import { ProviderConnectionNotFound } from "@carteiro/schema/provider-connections/ProviderConnectionErrors.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import type { ApiCall } from "../../tenancy/ApiCall.ts"
import { sealCredential, sealWebhookSecret } from "../connection/Credentials.ts"
import { NumprovConnectionEntity } from "./NumprovConnectionEntity.ts"
import { NumprovRepo } from "./NumprovRepo.ts"
import { readNumprov, readOperation, type StoredNumprov, type StoredOperation } from "./NumprovState.ts"
import { disconnectNumprov, endOperations, insertNumprov, insertOperation } from "./NumprovWrites.ts"

export type NumprovCall = ApiCall<"environment_id" | "environment">
type Answer = Effect.Effect<Reply, ApiError>

/** True when tenants may connect accounts of their own at the number provider. M-IMP-16 */
export const NumprovByokEnabled = Context.Reference<boolean>(
  "@carteiro/runtime/provider-connections/numprov/NumprovByokEnabled",
  { defaultValue: () => false }
)

/**
 * Changes accounts at the number provider; their owner calls the provider afterwards. gaps-2 L "Number-provider
 * connections"
 */
export class NumprovActions extends Context.Service<
  NumprovActions,
  {
    get(call: NumprovCall, id: string): Answer
    /** Answers 202; the owner proves the key afterwards. M-IMP-17, M-IMP-18 */
    register(call: NumprovCall, body: RegisterNumprov): Answer
    /** Answers 202 with an operation: the new key replaces the old one once it is proven. */
    rotate(call: NumprovCall, id: string, body: RotateNumprov): Answer
    /** Answers 202 with an operation. */
    discover(call: NumprovCall, id: string): Answer
    /** Disconnects an account; a repeated call changes nothing. */
    disconnect(call: NumprovCall, id: string): Answer
    operation(call: NumprovCall, id: string, operationId: string): Answer
  }
>()("@carteiro/runtime/provider-connections/numprov/NumprovActions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* NumprovRepo
      const commit = yield* Commit
      const ids = yield* Ids
      const secrets = yield* Secrets
      const isEnabled = yield* NumprovByokEnabled
      const owners = yield* NumprovConnectionEntity.client

      const known = Effect.fnUntraced(function* ({ environment_id }: NumprovCall["caller"], id: string) {
        const connection = parseId("npc", id) ? yield* repo.find(environment_id, id) : undefined
        return connection ?? (yield* new ProviderConnectionNotFound())
      })

      const active = isEnabled ? Effect.void : Effect.suspend(() => Effect.fail(new Errors.NumprovByokUnavailable()))

      const shown = Effect.fnUntraced(function* (call: NumprovCall, connection: StoredNumprov) {
        const latest = yield* repo.latest(connection.environment_id, [connection.id])
        return reply(call, 200, readNumprov(connection, latest.get(connection.id)))
      })

      const sealed = (place: { readonly environment_id: string; readonly id: string }, body: RotateNumprov) => ({
        ...sealCredential(secrets, place, body.api_key),
        webhook_secret: sealWebhookSecret(secrets, place, body.webhook_secret)
      })

      const begun = (
        { environment_id, id: numprov_connection_id }: { readonly environment_id: string; readonly id: string },
        kind: StoredOperation["kind"],
        created_at: number
      ) => {
        const id = ids.mint("npo", created_at)
        const operation: StoredOperation = {
          id,
          numprov_connection_id,
          kind,
          status: "pending",
          error_code: null,
          created_at,
          completed_at: null
        }
        return { operation, row: { environment_id, id, numprov_connection_id, kind, created_at } }
      }

      const nothing = { credential: null, credential_last_four: null, webhook_secret: null }

      /** Starts an operation for a connected account. */
      const ask = Effect.fnUntraced(function* (
        call: NumprovCall,
        connection: StoredNumprov,
        kind: "rotate" | "discovery",
        brought: ReturnType<typeof sealed> | typeof nothing
      ) {
        if (connection.status !== "connected") return yield* new Errors.NumprovConnectionUnavailable()
        const { operation, row } = begun(connection, kind, call.now)
        const response = reply(call, 202, readOperation(operation))
        const written = yield* commit.write([insertOperation.row({ ...row, ...brought })], {
          claim: call.claim,
          response
        })
        if (!written(insertOperation.name).has(connection.id)) return yield* new Errors.NumprovConnectionUnavailable()
        owners.wake(connection.id)
        return response
      })

      return NumprovActions.of({
        get: (call, id) => Effect.flatMap(known(call.caller, id), (connection) => shown(call, connection)),

        register: Effect.fnUntraced(function* (call, body) {
          yield* active
          const { environment, environment_id } = call.caller
          if (yield* repo.hasLive(environment_id)) return yield* new Errors.NumprovConnectionAlreadyExists()
          const { now } = call
          const id = ids.mint("npc", now)
          const secret = sealed({ environment_id, id }, body)
          const { operation, row } = begun({ environment_id, id }, "register", now)
          const connection: StoredNumprov = {
            environment_id,
            id,
            environment,
            status: "pending",
            display_name: clean(body.display_name),
            account_id: body.account_id,
            credential_last_four: secret.credential_last_four,
            webhook_secret_configured: secret.webhook_secret !== null,
            last_discovered_at: null,
            created_at: now,
            updated_at: now,
            disconnected_at: null
          }
          const response = reply(call, 202, readNumprov(connection, operation))
          const { account_id, display_name } = connection
          const rows: ReadonlyArray<Row> = [
            insertNumprov.row({
              environment_id,
              id,
              environment,
              display_name,
              account_id,
              created_at: now,
              ...secret
            }),
            insertOperation.row({ ...row, ...nothing })
          ]
          const written = yield* commit.write(rows, { claim: call.claim, response })
          if (!written(insertNumprov.name).has(id)) return yield* new Errors.NumprovConnectionAlreadyExists()
          owners.wake(id)
          return response
        }),

        rotate: Effect.fnUntraced(function* (call, id, body) {
          yield* active
          const connection = yield* known(call.caller, id)
          return yield* ask(call, connection, "rotate", sealed(connection, body))
        }),

        discover: Effect.fnUntraced(function* (call, id) {
          yield* active
          return yield* ask(call, yield* known(call.caller, id), "discovery", nothing)
        }),

        disconnect: Effect.fnUntraced(function* (call, id) {
          const connection = yield* known(call.caller, id)
          if (connection.status === "disconnected")
            return yield* commit.complete(call.claim, yield* shown(call, connection))
          const { environment_id } = connection
          const { now } = call
          const latest = (yield* repo.latest(environment_id, [id])).get(id)
          const left = {
            ...connection,
            status: "disconnected" as const,
            webhook_secret_configured: false,
            updated_at: now,
            disconnected_at: now
          }
          const response = reply(call, 200, readNumprov(left, latest && endedBy(latest, now)))
          const rows = [
            disconnectNumprov.row({ environment_id, id, disconnected_at: now }),
            endOperations.row({ environment_id, numprov_connection_id: id, completed_at: now })
          ]
          const written = yield* commit.write(rows, { claim: call.claim, response })
          if (written(disconnectNumprov.name).has(id)) return response
          return yield* commit.complete(call.claim, yield* shown(call, yield* known(call.caller, id)))
        }),

        operation: Effect.fnUntraced(function* (call, id, operationId) {
          const connection = yield* known(call.caller, id)
          const found = parseId("npo", operationId)
            ? yield* repo.operation(connection.environment_id, id, operationId)
            : undefined
          return reply(call, 200, readOperation(found ?? (yield* new ProviderConnectionNotFound())))
        })
      })
    })
  )
}

/** Returns the last operation of a connection in its final state when the connection ends. */
const endedBy = (operation: StoredOperation, completed_at: number): StoredOperation =>
  operation.status === "pending"
    ? { ...operation, status: "failed", error_code: "numprov_connection_unavailable", completed_at }
    : operation
