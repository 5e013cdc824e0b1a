import { callingMember } from "@carteiro/http-edge/Admission.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { type RequestOf, Routes } from "@carteiro/http-edge/Routes.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import {
  ConnectionDecisionsApi,
  type OwnConnection
} from "@carteiro/schema/provider-connections/ConnectionDecisionsApi.ts"
import { ProviderConnectionNotFound } from "@carteiro/schema/provider-connections/ProviderConnectionErrors.ts"
import { Effect } from "effect"
import { remediesOf } from "../connection/Remedies.ts"
import { readConnection, type StoredConnection } from "../connection/StoredConnection.ts"
import { ConnectionAdmin } from "../manage/ConnectionAdmin.ts"
import { type Decider, SetupActions } from "./SetupActions.ts"
import { readSetup } from "./SetupState.ts"

type DecisionRequest = Pick<
  RequestOf<(typeof ConnectionDecisionsApi)["endpoints"]["denySetup"]>,
  "caller" | "params" | "realNow"
>

/** Operations of people about connections and the credentials for them. Decision 0155 */
export const ConnectionDecisionsHttp = Routes.group(
  ConnectionDecisionsApi,
  Effect.gen(function* () {
    const connections = yield* ConnectionAdmin
    const setups = yield* SetupActions

    /** Returns a session that still takes the decision, and who decides. */
    const open = (request: DecisionRequest, decision: "complete" | "deny") => {
      const by = deciderOf(request)
      return Effect.map(setups.open(by, request.params.setup_session_id, decision), (session) => ({ by, session }))
    }

    return Routes.handlers(ConnectionDecisionsApi, {
      list: Effect.fnUntraced(function* ({ caller, now, query, traceId }) {
        const { before, limit, ...filter } = query
        const rows = yield* connections.list(caller.environment_id, Number(limit), filter, before)
        return reply({ traceId }, 200, { object: "list", data: rows.map((row) => readOwn(row, now)) })
      }),

      get: Effect.fnUntraced(function* ({ caller, now, params, traceId }) {
        const id = params.connection_id
        const row = parseId("pcn", id) ? yield* connections.find(caller.environment_id, id) : undefined
        if (row === undefined) return yield* new ProviderConnectionNotFound()
        return reply({ traceId }, 200, readOwn(row, now))
      }),

      lookNow: ({ caller, now, traceId }) =>
        Effect.as(
          connections.lookNow(caller.environment_id, now),
          reply({ traceId }, 200, { object: "connection_check" })
        ),

      select: Effect.fnUntraced(function* ({ caller, now, params, traceId }) {
        const id = params.connection_id
        const known = parseId("pcn", id) ? yield* connections.find(caller.environment_id, id) : undefined
        if (known === undefined) return yield* new ProviderConnectionNotFound()
        yield* connections.select(caller.environment_id, id, now)
        return reply({ traceId }, 200, { id, object: "provider_connection" })
      }),

      setup: Effect.fnUntraced(function* ({ caller, params, realNow, traceId }) {
        const session = yield* setups.find(caller.organization_id, params.setup_session_id)
        return reply({ traceId }, 200, readSetup(session, realNow, null))
      }),

      completeSetup: Effect.fnUntraced(function* (request) {
        const { by, session } = yield* open(request, "complete")
        const completed = yield* setups.complete(session, request.body.credentials, by)
        return reply(request, 200, readSetup(completed, request.realNow, null))
      }),

      denySetup: Effect.fnUntraced(function* (request) {
        const { by, session } = yield* open(request, "deny")
        return reply(request, 200, readSetup(yield* setups.deny(session, by), request.realNow, null))
      })
    })
  })
)

const readOwn = (row: StoredConnection, now: number): OwnConnection => ({
  ...readConnection(row),
  is_selected: row.selected_at !== null,
  remedies: remediesOf(row, now)
})

const deciderOf = ({ caller, realNow }: DecisionRequest): Decider => ({
  organization_id: caller.organization_id,
  role: callingMember(caller).role,
  now: realNow
})
