import type { GroupEntry } from "@carteiro/schema/groups/Group.ts"
import { GroupStatus } from "@carteiro/schema/groups/GroupEvents.ts"
import { Effect, Layer } from "effect"
import { textFilter, wordFilter } from "../kit/Filters.ts"
import { html, type Piece } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList } from "../kit/ListPage.ts"
import { makeOperationList, narrowedBy } from "../kit/OperationList.ts"
import { Operations } from "../kit/Operations.ts"
import { instant, personText, type Table, table } from "../kit/Parts.ts"
import { groupBadge, groupsAddress, outcomeOf } from "./GroupParts.ts"

/** Groups of an environment with how far they are; no invite link is on any page. */
export const GroupsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const groups = (yield* makeOperationList)("groups.list", operations.groups.list)
    const { routes } = yield* environmentList({
      operation: "groups",
      path: groupsAddress,
      title: "Groups",
      section: "groups",
      api: "groups.list",
      follows: "events",
      filters: {
        status: wordFilter("State", GroupStatus.literals, { thing: "group" }),
        number: textFilter("Number id", 255, { api: "phone_number_id" })
      },
      read: (environment, { number, status }, before, count, visit) =>
        groups(visit, environment, before, count, narrowedBy({ status, phone_number_id: number })),
      idOf: ({ id }) => id,
      table: (rows, { id }, nothing) => groupTable(id, rows, nothing),
      file: membersOf(
        (group: GroupEntry) => group,
        "id",
        "subject",
        "status",
        "phone_number_id",
        "participant_count",
        "created_at"
      ),
      empty: () => ({
        purpose: say("Groups that one of your numbers made, with who is in them."),
        operation: "groups.create"
      })
    })
    return routes
  })
)

const groupTable = (environmentId: string, rows: ReadonlyArray<GroupEntry>, nothing: Piece): Table =>
  table(
    "Groups, newest first",
    ["Subject", "State", "Participants", "Last outcome", "Since"],
    rows.map((group) => [
      personText(html`<a href="${groupsAddress}/${environmentId}/${group.id}">${group.subject}</a>`),
      groupBadge(group.status),
      String(group.participant_count),
      outcomeOf(group),
      instant(group.created_at)
    ]),
    nothing
  )
