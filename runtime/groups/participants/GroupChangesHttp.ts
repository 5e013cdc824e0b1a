import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { GroupChangesApi } from "@carteiro/schema/groups/GroupChangesApi.ts"
import { Effect } from "effect"
import { GroupDirectory } from "./GroupDirectory.ts"

/** Operations of people about the participants of a group. Decision 0155 */
export const GroupChangesHttp = Routes.group(
  GroupChangesApi,
  Effect.gen(function* () {
    const groups = yield* GroupDirectory

    return Routes.handlers(GroupChangesApi, {
      list: Effect.fnUntraced(function* ({ caller, params, query, traceId }) {
        const data = yield* groups.changes(caller.environment_id, params.group_id, Number(query.limit))
        return reply({ traceId }, 200, { object: "list", data })
      })
    })
  })
)
