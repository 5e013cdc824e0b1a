import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Traits } from "../conventions/Access.ts"
import { pathId } from "../conventions/Ids.ts"
import { integerParam, rowsOf } from "../conventions/Page.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { InvalidGroupsQuery } from "./GroupErrors.ts"

/** A join or removal that the provider reported. C-GPART-04 */
export const GroupChange = Schema.Struct({
  chat_id: Schema.String,
  action: Schema.Literals(["join", "remove"]),
  occurred_at: Timestamp
})
export type GroupChange = typeof GroupChange.Type

/** Who joined a group and who was removed, the latest first; none for a group that is not there. Decision 0155 */
export class GroupChangesApi extends HttpApiGroup.make("groupChanges")
  .add(
    HttpApiEndpoint.get("list", "/:group_id/changes", {
      params: { group_id: pathId("grp") },
      query: { limit: integerParam(1, 100) },
      success: rowsOf(GroupChange)
    }).annotate(Traits, {
      authentication: "person",
      scopes: ["groups:read"],
      rate: "read",
      validation: InvalidGroupsQuery.code
    })
  )
  .prefix("/people/groups") {}
