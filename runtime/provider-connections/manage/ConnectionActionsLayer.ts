import { type Reply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { ProviderConnection } from "@carteiro/schema/provider-connections/ProviderConnection.ts"
import * as Errors from "@carteiro/schema/provider-connections/ProviderConnectionErrors.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Cause, Effect, Layer, Redacted } from "effect"
import { numberChanges } from "../../phone-numbers/PhoneNumbers.ts"
import { reachedAccounts } from "../connection/ConnectionChoice.ts"
import {
  completeConnection,
  disconnectConnection,
  insertConnection,
  rotateCredential
} from "../connection/ConnectionWrites.ts"
import { sealCredential } from "../connection/Credentials.ts"
import { capabilitiesOf, readConnection, type StoredConnection } from "../connection/StoredConnection.ts"
import { StoredConnectionRepo } from "../connection/StoredConnectionRepo.ts"
import { ConnectionActions, type ConnectionCall } from "./ConnectionActions.ts"
import { subscriptionRefused } from "./SubscriptionRefused.ts"
import { UpstreamConnecting } from "./UpstreamConnecting.ts"
import { UpstreamProof } from "./UpstreamProof.ts"

export const connectionActionsLayer = Layer.effect(
  ConnectionActions,
  Effect.gen(function* () {
    const repo = yield* StoredConnectionRepo
    const commit = yield* Commit
    const secrets = yield* Secrets
    const proof = yield* UpstreamProof
    const connecting = yield* UpstreamConnecting

    const known = Effect.fnUntraced(function* (environmentId: string, id: string) {
      const connection = parseId("pcn", id) ? yield* repo.find(environmentId, id) : undefined
      return connection ?? (yield* new Errors.ProviderConnectionNotFound())
    })

    const shown = (call: ConnectionCall, status: number, connection: StoredConnection): Reply<ProviderConnection> =>
      reply(call, status, readConnection(connection))

    /** Returns the rows that make numbers waiting for a connection due now. gaps-2 K "State machine" */
    const waiting = ({ caller, now }: ConnectionCall): ReadonlyArray<Row> =>
      caller.environment === "production"
        ? [numberChanges.connect({ environment_id: caller.environment_id, due_at: now })]
        : []

    const written = (call: ConnectionCall, row: Row, response: Reply<ProviderConnection>, id: string) =>
      Effect.map(commit.write([row, ...waiting(call)], { claim: call.claim, response }), (keys) =>
        keys(row.write.name).has(id)
      )

    return ConnectionActions.of({
      get: (call, id) =>
        Effect.map(known(call.caller.environment_id, id), (connection) => shown(call, 200, connection)),

      register: Effect.fnUntraced(function* (call, body) {
        const { environment, environment_id } = call.caller
        const { connection, row } = yield* connecting.register({ environment, environment_id, now: call.now }, body)
        if ((yield* repo.live(environment_id, connection.channel)) !== undefined) {
          return yield* new Errors.UpstreamConnectionAlreadyExists()
        }
        const response = shown(call, 201, connection)
        const keys = yield* commit.write([row, ...waiting(call)], { claim: call.claim, response })
        if (!keys(insertConnection.name).has(connection.id)) return yield* new Errors.UpstreamConnectionAlreadyExists()
        return response
      }),

      rotate: Effect.fnUntraced(function* (call, id, body) {
        const { environment, environment_id } = call.caller
        const connection = yield* known(environment_id, id)
        if (!isRotatable(connection)) return yield* new Errors.ProviderConnectionNotRotatable()
        const presented = { environment, param: "access_token" }
        const token = yield* proof.token(presented, Redacted.make(body.access_token))
        const account = connection.biz_account_id
        if (environment === "production" && account !== null) {
          if (token.accounts.length > 0 && !token.accounts.includes(account)) {
            return yield* new Errors.UpstreamIdentityEnforced()
          }
          yield* proof.account(presented, token, account, connection.phone_number_id)
        }
        const sealed = sealCredential(secrets, { environment_id, id }, body.access_token)
        const change = rotation(connection, token, body.token_expires_at, call.now)
        const response = shown(call, 200, {
          ...connection,
          ...change,
          status: "connected",
          suspension_reason: null,
          credential_last_four: sealed.credential_last_four,
          token_refreshed_at: call.now,
          updated_at: call.now
        })
        const row = rotateCredential.row({ environment_id, id, ...sealed, ...change })
        if (!(yield* written(call, row, response, id))) return yield* new Errors.ProviderConnectionNotRotatable()
        return response
      }),

      complete: Effect.fnUntraced(function* (call, id, body) {
        const { environment, environment_id } = call.caller
        const connection = yield* known(environment_id, id)
        if (connection.status !== "pending") return yield* new Errors.ProviderConnectionNotPending()
        const stored = yield* repo.credential(environment_id, id)
        const presented = { environment, param: "access_token" }
        if (stored === undefined) return yield* new Errors.ChatappCredentialsInvalid({ param: presented.param })
        const token = yield* proof.token(presented, stored)
        const named = body.biz_account_id ?? connection.biz_account_id ?? (yield* proof.only(presented, token))
        if (named === undefined) return yield* new Errors.ChatappCredentialsInvalid({ param: presented.param })
        const numberId = body.phone_number_id ?? connection.phone_number_id
        const account = yield* proof.account(presented, token, named, numberId)
        if ((yield* repo.live(environment_id, connection.channel)) !== undefined) {
          return yield* new Errors.UpstreamConnectionAlreadyExists()
        }
        const subscribed_at = yield* subscribed(connection, proof.subscribe(presented, token, named), call.now)
        const change = {
          ...account,
          subscribed_at,
          biz_account_send_capabilities: jsonText(
            reachedAccounts(token.accounts.length === 0 ? [named] : token.accounts, capabilitiesOf(connection))
          ),
          updated_at: call.now
        }
        const response = shown(call, 200, completed({ ...connection, ...change }, call.now))
        const row = completeConnection.row({ environment_id, id, ...change })
        const done = written(call, row, response, id)
        const ended = yield* unlessTaken(done, repo.live(environment_id, connection.channel))
        if (ended) return response
        const now = yield* known(environment_id, id)
        return yield* now.status === "pending"
          ? new Errors.UpstreamConnectionAlreadyExists()
          : new Errors.ProviderConnectionNotPending()
      }),

      disconnect: Effect.fnUntraced(function* (call, id) {
        const { environment_id } = call.caller
        const connection = yield* known(environment_id, id)
        const unchanged = (now: StoredConnection) => commit.complete(call.claim, shown(call, 200, now))
        if (connection.status === "disconnected") return yield* unchanged(connection)
        const response = shown(call, 200, disconnected(connection, call.now))
        const row = disconnectConnection.row({ environment_id, id, disconnected_at: call.now })
        return (yield* written(call, row, response, id)) ? response : yield* unchanged(yield* known(environment_id, id))
      })
    })
  })
)

/** Returns since when the account sends its messages here; other channels are not asked to. U-CON-01 */
const subscribed = Effect.fnUntraced(function* (
  { channel }: StoredConnection,
  subscribing: Effect.Effect<boolean, ApiError>,
  now: number
) {
  if (channel !== "chatapp") return null
  if (!(yield* subscribing)) return yield* subscriptionRefused("access_token")
  return now
})

const completed = (connection: StoredConnection, now: number): StoredConnection => ({
  ...connection,
  status: "connected",
  subscription_refused_at: null,
  token_refreshed_at: now
})

const isRotatable = ({ provider, status }: StoredConnection): boolean =>
  provider === "upstream" && (status === "connected" || status === "suspended")

/**
 * Returns the columns that a new token changes: when it ends, as its caller or else the platform tells, and the accounts
 * that it reaches.
 */
const rotation = (
  connection: StoredConnection,
  token: { readonly accounts: ReadonlyArray<string>; readonly expires_at: number | null },
  told: string | undefined,
  now: number
) => {
  const known = capabilitiesOf(connection)
  const tellsAccounts = connection.environment === "production" && token.accounts.length > 0
  return {
    token_expires_at: (told === undefined ? undefined : parseTimestamp(told)) ?? token.expires_at,
    biz_account_send_capabilities: jsonText(tellsAccounts ? reachedAccounts(token.accounts, known) : known),
    token_rotated_at: now
  }
}

/**
 * Returns false when another connection is live by now: only the unique index notices two completions that commit on
 * different nodes at the same time.
 */
const unlessTaken = <E>(
  completion: Effect.Effect<boolean, E>,
  live: Effect.Effect<unknown>
): Effect.Effect<boolean, E> =>
  Effect.catchCause(completion, (cause) =>
    Effect.flatMap(live, (found) =>
      found === undefined || !Cause.hasDies(cause) ? Effect.failCause(cause) : Effect.succeed(false)
    )
  )

const disconnected = (connection: StoredConnection, now: number): StoredConnection => ({
  ...connection,
  status: "disconnected",
  webhook_secret_configured: false,
  disconnected_at: now,
  updated_at: now
})
