import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { GroupEntry } from "@carteiro/schema/groups/Group.ts"
import { Effect, Layer } from "effect"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { orNotHere } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, instant, none, notice, personText, table } from "../kit/Parts.ts"
import { numbersAddress } from "../numbers/NumberParts.ts"
import { groupBadge, groupsAddress, outcomeOf } from "./GroupParts.ts"

const shownChanges = "100"

/** One group: how its last operation ended, who is in it, who came and went. Document 3, "Group" */
export const GroupHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { groupChanges, groups } = yield* Operations

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const environment = yield* environmentOf(visit)
      const params = { group_id: yield* idOf(visit, "grp") }
      const caller = asVisitor(visit, environment)
      const group = yield* orNotHere(groups.get(caller, { params }))
      const { data: changes } = yield* groupChanges.list(caller, { params, query: { limit: shownChanges } })
      return {
        title: html`${group.subject}`,
        section: "groups",
        environment: environment.id,
        up: [`${groupsAddress}?environment=${environment.id}`, "Groups"],
        body: html`${group.failure !== null && notice("warn", html`<code>${group.failure.code}</code> ${group.failure.message}`)}
<div class="card">${facts([
          ["State", groupBadge(group.status)],
          ["Last outcome", outcomeOf(group)],
          ["Description", group.description === null ? none("none") : personText(group.description)],
          [
            "Number",
            html`<a href="${numbersAddress}/${environment.id}/${group.phone_number_id}"><code>${group.phone_number_id}</code></a>`
          ],
          ["Environment", environmentName(environment)],
          ["Invite link", linkOf(group)],
          [
            "Id at the platform",
            group.provider_group_id === null ? none("not told") : html`<code>${group.provider_group_id}</code>`
          ],
          ["Created", instant(group.created_at)],
          ["Changed", instant(group.updated_at)],
          ["Deleted", instant(group.deleted_at)],
          ["Id", html`<code>${group.id}</code>`]
        ])}</div>
<section aria-labelledby="participants"><h2 id="participants">Participants</h2>${table(
          "Participants, oldest join first",
          ["Participant", "Joined"],
          group.participants.map(({ chat_id, joined_at }) => [personText(chat_id), instant(joined_at)]),
          say("Nobody is in it.")
        )}</section>
<section aria-labelledby="changes"><h2 id="changes">Joins and removals</h2>${table(
          "Joins and removals, the latest first",
          ["Participant", "What", "When"],
          changes.map(({ action, chat_id, occurred_at }) => [
            personText(chat_id),
            action === "join" ? say("joined") : say("was removed"),
            instant(occurred_at)
          ]),
          say("None was told.")
        )}</section>`
      }
    })

    return page({ operation: "group", path: `${groupsAddress}/:environment/:id`, handler: show })
  })
)

/** Hides the invite link, because everyone who has it can join; only keys of the API read it. gaps-3 B "Invite link secrecy" */
const linkOf = ({ id, invite_link }: GroupEntry) =>
  invite_link !== null ? html`kept secret; <code>GET /v1/groups/${id}</code> tells it` : none("none yet")
