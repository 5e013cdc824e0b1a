import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { OwnConnection } from "@carteiro/schema/provider-connections/ConnectionDecisionsApi.ts"
import {
  ConnectionChannel,
  ConnectionProvider,
  ConnectionStatus
} from "@carteiro/schema/provider-connections/ProviderConnection.ts"
import { SetupTarget } from "@carteiro/schema/provider-connections/SetupSession.ts"
import { Effect, Layer, Schema } from "effect"
import { channelName } from "../kit/Channels.ts"
import { environmentOf, idOf } from "../kit/Environments.ts"
import { nameFilter, wordFilter } from "../kit/Filters.ts"
import { field, unconfirmed } from "../kit/Forms.ts"
import { html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList } from "../kit/ListPage.ts"
import { addressOf, positionOf } from "../kit/Lists.ts"
import { narrowedBy, orNotHere } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { NotHere } from "../kit/Refusals.ts"
import {
  connectionAddress,
  connectionPage,
  connectionsAddress,
  connectionTable,
  disconnectPage,
  type FoundConnection,
  newSetup
} from "./ConnectionParts.ts"
import { numberAccountsAddress } from "./NumberAccountParts.ts"

/** Connections with their health, their end, what blocks them and what to do about it. */
export const ConnectionsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { connectionDecisions, providerConnections, setupSessions } = yield* Operations

    const requireConnection = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<FoundConnection, ApiError> {
      const environment = yield* environmentOf(visit)
      const params = { connection_id: yield* idOf(visit, "pcn") }
      const connection = yield* orNotHere(connectionDecisions.get(asVisitor(visit, environment), { params }))
      return { environment, connection }
    })

    const { routes } = yield* connectionList

    const disconnect = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const one = yield* requireConnection(visit)
      const { connection, environment } = one
      const error = unconfirmed(sent, connection.display_name)
      if (error !== undefined) return disconnectPage(visit.csrf, one, error)
      const params = { connection_id: connection.id }
      yield* providerConnections.disconnect(asVisitor(visit, environment), { params })
      return { to: `${connectionAddress(environment.id, connection.id)}?done=disconnected` }
    })

    const choose = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const id = visit.request.params.id ?? ""
      yield* connectionDecisions.select(asVisitor(visit, environment), { params: { connection_id: id } })
      return { to: `${connectionAddress(environment.id, id)}?done=saved` }
    })

    const begin = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const target = field(sent, "target")
      if (!isTarget(target)) return yield* new NotHere()
      const made = yield* setupSessions.create(asVisitor(visit, environment), { payload: { target } })
      return { to: `/dashboard/setup/${made.id}` }
    })

    const path = `${connectionsAddress}/:environment/:id`
    return Layer.mergeAll(
      routes,
      page({
        operation: "connection",
        path,
        handler: (visit) => Effect.map(requireConnection(visit), (one) => connectionPage(visit, one))
      }),
      page({
        operation: "askDisconnectConnection",
        path: `${path}/disconnect`,
        handler: (visit) => Effect.map(requireConnection(visit), (one) => disconnectPage(visit.csrf, one))
      }),
      action({
        operation: "disconnectConnection",
        audit: "connection.disconnected",
        path: `${path}/disconnect`,
        handler: disconnect
      }),
      action({ operation: "selectConnection", audit: "connection.selected", path: `${path}/select`, handler: choose }),
      action({
        operation: "beginSetup",
        audit: "connection.setup_begun",
        keeps: ["target"],
        path: `${connectionsAddress}/:environment`,
        handler: begin
      })
    )
  })
)

const connectionList = Effect.flatMap(Operations, ({ connectionDecisions }) =>
  environmentList({
    operation: "connections",
    path: connectionsAddress,
    title: "Connections",
    section: "connections",
    api: "providerConnections.list",
    filters: {
      provider: wordFilter("Provider", ConnectionProvider.literals),
      channel: nameFilter("Channel", ConnectionChannel.literals, channelName),
      status: wordFilter("Status", ConnectionStatus.literals, { thing: "connection" })
    },
    read: (environment, search, before, count, visit) =>
      Effect.map(
        connectionDecisions.list(asVisitor(visit, environment), {
          query: { ...positionOf(before, count), ...narrowedBy(search) }
        }),
        ({ data }) => ({ rows: data, walked_to: null })
      ),
    idOf: ({ id }) => id,
    table: (rows, { id }, nothing) => connectionTable(id, rows, nothing),
    file: membersOf(
      (connection: OwnConnection) => connection,
      "id",
      "display_name",
      "provider",
      "channel",
      "status",
      "biz_account_id"
    ),
    empty: () => ({
      purpose: say(
        "Accounts of yours at providers of messages and payments. Production sends through them; a sandbox needs none."
      )
    }),
    around: (environment, visit) =>
      Effect.succeed({
        before: html`<nav class="buttons" aria-label="Connections"><a class="button" href="${addressOf(numberAccountsAddress, { environment: environment?.id })}">Number accounts</a></nav>`,
        ...(visit.mayChange && environment !== undefined ? { after: newSetup(visit, environment.id) } : {})
      })
  })
)

const isTarget = Schema.is(SetupTarget)
