import { type OperationReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import { NumprovWebhooks } from "@carteiro/provider/NumberProvider.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import type { RegisterNumprov, RotateNumprov } from "@carteiro/schema/provider-connections/NumprovConnectionsApi.ts"
import * as Errors from "@carteiro/schema/provider-connections/NumprovErrors.ts"
import {
  InvalidProviderConnectionRequest,
  ProviderConnectionNotFound
} from "@carteiro/schema/provider-connections/ProviderConnectionErrors.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import type { ApiCall } from "../../tenancy/ApiCall.ts"
import { sealCredential, sealWebhookSecret } from "../connection/Credentials.ts"
import { NumprovConnectionWorker } from "./NumprovConnectionWorker.ts"
import { NumprovRepo } from "./NumprovRepo.ts"
import {
  disconnectedNumprov,
  endedBy,
  newNumprov,
  newOperation,
  readNumprov,
  readOperation,
  type StoredNumprov,
  type StoredOperation
} from "./NumprovState.ts"
import { disconnectNumprov, endOperations, insertNumprov, insertOperation } from "./NumprovWrites.ts"

export type NumprovCall = ApiCall<"environment_id" | "environment">

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
    get(call: NumprovCall, id: string): OperationReply
    /** Answers 202; the owner proves the key afterwards. M-IMP-17, M-IMP-18 */
    register(call: NumprovCall, body: RegisterNumprov): OperationReply
    /** Answers 202 with an operation: the new key replaces the old one once it is proven. */
    rotate(call: NumprovCall, id: string, body: RotateNumprov): OperationReply
    /** Answers 202 with an operation. */
    discover(call: NumprovCall, id: string): OperationReply
    /** Disconnects an account; a repeated call changes nothing. */
    disconnect(call: NumprovCall, id: string): OperationReply
    operation(call: NumprovCall, id: string, operationId: string): OperationReply
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
      const owners = yield* NumprovConnectionWorker.client
      const scheme = yield* NumprovWebhooks

      const known = Effect.fnUntraced(function* ({ environment_id }: NumprovCall["caller"], id: string) {
        const connection = parseId("npc", id) ? yield* repo.find(environment_id, id) : undefined
        return connection ?? (yield* new ProviderConnectionNotFound())
      })

      const active = isEnabled ? Effect.void : Effect.suspend(() => Effect.fail(new Errors.NumprovByokUnavailable()))

      const shown = Effect.fnUntraced(function* (call: NumprovCall, connection: StoredNumprov) {
        const latest = yield* repo.latest(connection.environment_id, [connection.id])
        return reply(call, 200, readNumprov(connection, latest.get(connection.id)))
      })

      /** Starts an operation for a connected account. */
      const ask = Effect.fnUntraced(function* (
        call: NumprovCall,
        connection: StoredNumprov,
        kind: "rotate" | "discovery",
        brought: ReturnType<typeof sealKeys> | typeof nothing
      ) {
        if (connection.status !== "connected") return yield* new Errors.NumprovConnectionUnavailable()
        const operation = newOperation(connection.id, ids.mint("npo", call.now), kind, call.now)
        const response = reply(call, 202, readOperation(operation))
        const row = operationRow(connection.environment_id, operation, brought)
        const written = yield* commit.write([row], { claim: call.claim, response })
        if (!written(insertOperation.name).has(connection.id)) return yield* new Errors.NumprovConnectionUnavailable()
        owners.wake(connection.id)
        return response
      })

      return NumprovActions.of({
        get: (call, id) => Effect.flatMap(known(call.caller, id), (connection) => shown(call, connection)),

        register: Effect.fnUntraced(function* (call, body) {
          yield* active
          yield* usable(scheme, call, body)
          const { environment, environment_id } = call.caller
          if (yield* repo.hasLive(environment_id)) return yield* new Errors.NumprovConnectionAlreadyExists()
          const { now } = call
          const id = ids.mint("npc", now)
          const secret = sealKeys(secrets, { environment_id, id }, body)
          const operation = newOperation(id, ids.mint("npo", now), "register", now)
          const connection = newNumprov(
            { environment_id, environment, id },
            { display_name: clean(body.display_name), account_id: body.account_id },
            secret,
            now
          )
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
            operationRow(environment_id, operation, nothing)
          ]
          const written = yield* commit.write(rows, { claim: call.claim, response })
          if (!written(insertNumprov.name).has(id)) return yield* new Errors.NumprovConnectionAlreadyExists()
          owners.wake(id)
          return response
        }),

        rotate: Effect.fnUntraced(function* (call, id, body) {
          yield* active
          yield* usable(scheme, call, body)
          const connection = yield* known(call.caller, id)
          return yield* ask(call, connection, "rotate", sealKeys(secrets, connection, body))
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
          const left = disconnectedNumprov(connection, now)
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

/** Refuses a webhook secret by which no call of the provider could be verified; in a sandbox none comes. */
const usable = (scheme: (typeof NumprovWebhooks)["Service"], { caller }: NumprovCall, body: RotateNumprov) => {
  const secret = caller.environment === "production" ? body.webhook_secret : undefined
  const expected = secret ? scheme?.expectedSecret?.(secret) : undefined
  if (expected === undefined) return Effect.void
  const param = "webhook_secret"
  return Effect.fail(new InvalidProviderConnectionRequest({ param, message: `${param}: expected ${expected}.` }))
}

/** The encrypted credentials of an account, for its row or for the operation that brings them. */
const sealKeys = (
  secrets: Secrets["Service"],
  place: { readonly environment_id: string; readonly id: string },
  body: RotateNumprov
) => ({
  ...sealCredential(secrets, place, body.api_key),
  webhook_secret: sealWebhookSecret(secrets, place, body.webhook_secret)
})

/** The columns of an operation that brings no credentials. */
const nothing = { credential: null, credential_last_four: null, webhook_secret: null }

/** Returns the row of a new operation. */
const operationRow = (
  environment_id: string,
  { created_at, id, kind, numprov_connection_id }: StoredOperation,
  brought: ReturnType<typeof sealKeys> | typeof nothing
): Row => insertOperation.row({ environment_id, id, numprov_connection_id, kind, created_at, ...brought })
