import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { GroupStatus } from "@carteiro/schema/groups/GroupEvents.ts"
import { Effect, Layer, Schema } from "effect"
import { GroupDirectory, type ShownGroup } from "../../groups/Groups.ts"
import { chosenEnvironment, environmentField } from "../kit/Environments.ts"
import { asked } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { addressOf, askedWord, choicesOf, cutPage, pageRows } from "../kit/Lists.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { given, input, instant, pager, select, table } from "../kit/Parts.ts"
import { groupBadge, groupsAddress, outcomeOf } from "./GroupParts.ts"

/** Groups of an environment with how far they are; no invite link is on any page. C-GRP-12, C-GRP-45 */
export const GroupsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const groups = yield* GroupDirectory

    const list = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const chosen = yield* chosenEnvironment(visit)
      const { environment } = chosen
      const number = asked(visit.request, "number")?.trim()
      const search = {
        status: askedWord(visit.request, "status", Schema.is(GroupStatus)),
        number: number === "" ? undefined : number
      }
      const before = asked(visit.request, "before")
      const filter = { status: search.status, phone_number_id: search.number }
      const rows = environment === undefined ? [] : yield* groups.list(environment.id, filter, before, pageRows + 1)
      const { last, shown } = cutPage(rows)
      const here = { environment: environment?.id, ...search }
      return {
        title: "Groups",
        section: "groups",
        environment: environment?.id,
        body: html`<form method="get" action="${groupsAddress}" class="search" role="search">
${environmentField(chosen)}
${select({ name: "status", label: "State", choices: choicesOf(GroupStatus.literals), chosen: search.status ?? "" })}
${input({ name: "number", label: "Number id", value: search.number ?? "", maxLength: 255, plain: true })}
<button>Show</button>
</form>
${groupTable(environment?.id ?? "", shown)}
${pager("groups", before && addressOf(groupsAddress, here), last && addressOf(groupsAddress, { ...here, before: last.id }))}`
      }
    })

    return page({ operation: "groups", path: groupsAddress, handler: list })
  })
)

const groupTable = (environmentId: string, rows: ReadonlyArray<ShownGroup>): Html =>
  table(
    "Groups, newest first",
    ["Subject", "State", "Participants", "Last outcome", "Since"],
    rows.map((group) => [
      given(html`<a href="${groupsAddress}/${environmentId}/${group.id}">${group.subject}</a>`),
      groupBadge(group.status),
      String(group.participant_count),
      outcomeOf(group),
      instant(group.created_at)
    ]),
    html`There is no group like this. Create one with <code>POST /v1/groups</code>.`
  )
