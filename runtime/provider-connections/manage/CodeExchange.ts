import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { errorReply } from "@carteiro/http-edge/Refusals.ts"
import { type Reply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { ProviderError } from "@carteiro/schema/conventions/SharedErrors.ts"
import {
  UpstreamBizAccountMissing,
  UpstreamConnectionAlreadyExists
} from "@carteiro/schema/provider-connections/ProviderConnectionErrors.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { numberChanges } from "../../phone-numbers/PhoneNumbers.ts"
import { insertConnection } from "../connection/ConnectionWrites.ts"
import { readConnection, type StoredConnection } from "../connection/StoredConnection.ts"
import { StoredConnectionRepo } from "../connection/StoredConnectionRepo.ts"
import type { ConnectionCall } from "./ConnectionActions.ts"
import { subscriptionRefused } from "./SubscriptionRefused.ts"
import { type CodeFields, UpstreamConnecting } from "./UpstreamConnecting.ts"

/** A call whose refusal may have to be stored together with its effect. */
export interface ExchangeCall extends ConnectionCall {
  readonly requestId: string
}

/** The object that requested the exchange, such as a signup session. */
export interface BesideConnection {
  /** Returns rows that are written in the connection's commit. */
  readonly rows: (connection: StoredConnection) => ReadonlyArray<Row>
  /** Returns the response, when it is not the connection. */
  readonly response?: (connection: StoredConnection) => Reply
}

/** Connects an account by the code of an embedded signup. M-CONN-25, M-CONN-28, M-CONN-29 */
export class CodeExchange extends Context.Service<
  CodeExchange,
  {
    /**
     * Connects the account. Returns undefined when the requesting object was not in the state that its rows require. A
     * code whose token proves no account leaves a pending connection, and its refusal is stored with it.
     */
    connect(
      call: ExchangeCall,
      path: string,
      fields: CodeFields,
      beside?: BesideConnection
    ): Effect.Effect<Reply | undefined, ApiError>
  }
>()("@carteiro/runtime/provider-connections/manage/CodeExchange") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* StoredConnectionRepo
      const connecting = yield* UpstreamConnecting
      const commit = yield* Commit
      const publicUrl = yield* PublicUrl
      return CodeExchange.of({
        connect: Effect.fnUntraced(function* (call, path, fields, beside) {
          const { environment, environment_id } = call.caller
          // A code can be exchanged once, so it is not exchanged when the connection would be refused.
          if ((yield* repo.live(environment_id, "chatapp")) !== undefined) {
            return yield* new UpstreamConnectionAlreadyExists()
          }
          const exchanged = yield* connecting.exchange({ environment, environment_id, now: call.now }, fields)
          const { connection, row } = exchanged
          const details = { provider_connection_id: connection.id }
          switch (exchanged._tag) {
            case "Unproven": {
              const refusal = new UpstreamBizAccountMissing({ param: "biz_account_id", details })
              const response = errorReply(refusal, call, path, publicUrl())
              yield* commit.write([row], { claim: call.claim, response })
              return response
            }
            case "Unsubscribed": {
              const refusal = subscriptionRefused("code", details)
              const response = errorReply(refusal, call, path, publicUrl())
              yield* commit.write([row], { claim: call.claim, response })
              return response
            }
            case "Interrupted": {
              yield* commit.write([row])
              return yield* new ProviderError({ details })
            }
            case "Connected": {
              const response = beside?.response?.(connection) ?? reply(call, 201, readConnection(connection))
              const waiting = numberChanges.connect({ environment_id, due_at: call.now })
              const rows = [row, waiting, ...(beside?.rows(connection) ?? [])]
              const keys = yield* commit.write(rows, { claim: call.claim, response })
              if (keys(insertConnection.name).has(connection.id)) return response
              if ((yield* repo.live(environment_id, "chatapp")) === undefined) return undefined
              return yield* new UpstreamConnectionAlreadyExists()
            }
          }
        })
      })
    })
  )
}
