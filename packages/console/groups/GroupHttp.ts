import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { GroupEntry } from "@carteiro/schema/groups/Group.ts"
import type { GroupChange } from "@carteiro/schema/groups/GroupChangesApi.ts"
import { Effect, Layer } from "effect"
import { environmentName, environmentOf, idOf } from "../kit/Environments.ts"
import { type Html, html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { numberLinker } from "../kit/NumberLinks.ts"
import { orNotHere } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, instant, none, notice, personText, table } from "../kit/Parts.ts"
import { phoneText } from "../kit/PhoneText.ts"
import { refusalText } from "../kit/RefusalTexts.ts"
import { inOrder, type Step, storyPage, timeline } from "../kit/Story.ts"
import { groupBadge, groupsAddress, outcomeOf } from "./GroupParts.ts"

const shownChanges = "100"

/** One group: how its last operation ended, who is in it, who came and went. Document 3, "Group" */
export const GroupHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const { groupChanges, groups } = operations
    const numberLinks = numberLinker(operations)

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
        ...storyPage({
          headline: {
            state: groupBadge(group.status),
            about: [
              (yield* numberLinks(visit, environment))(group.phone_number_id),
              group.participants.length === 1 ? say("1 participant") : html`${group.participants.length} participants`
            ]
          },
          warnings:
            group.failure !== null &&
            notice("warn", html`<code>${group.failure.code}</code> ${refusalText(group.failure)}`),
          story: html`<section aria-labelledby="participants"><h2 id="participants">Participants</h2>${table(
            "Participants, oldest join first",
            ["Participant", "Joined"],
            group.participants.map(({ chat_id, joined_at }) => [personText(phoneText(chat_id)), instant(joined_at)]),
            say("Nobody is in it.")
          )}</section>
<section aria-labelledby="changes"><h2 id="changes">What happened</h2>${timelineOf(group, changes)}</section>`,
          facts: facts([
            ["Last outcome", outcomeOf(group)],
            group.description === null ? undefined : ["Description", personText(group.description)],
            ["Environment", environmentName(environment)],
            ["Invite link", linkOf(group)],
            [
              "Id at the platform",
              group.provider_group_id === null ? none("not told") : html`<code>${group.provider_group_id}</code>`
            ],
            ["Created", instant(group.created_at)],
            ["Changed", instant(group.updated_at)],
            group.deleted_at === null ? undefined : ["Deleted", instant(group.deleted_at)],
            ["Id", html`<code>${group.id}</code>`]
          ])
        })
      }
    })

    return page({ operation: "group", path: `${groupsAddress}/:environment/:id`, handler: show })
  })
)

/** Returns when a group was made and deleted, and who came and went, as far as its latest changes go back. */
const timelineOf = (group: GroupEntry, changes: ReadonlyArray<GroupChange>): Html => {
  const steps: ReadonlyArray<Step> = [
    { what: say("Created"), at: group.created_at },
    ...changes.map(({ action, chat_id, occurred_at }) => ({
      what: html`${personText(phoneText(chat_id))} ${action === "join" ? say("joined") : say("was removed")}`,
      at: occurred_at
    })),
    ...(group.deleted_at === null ? [] : [{ what: say("Deleted"), at: group.deleted_at, tone: "bad" as const }])
  ]
  return timeline(inOrder(steps))
}

/** Hides the invite link, because everyone who has it can join; only keys of the API read it. */
const linkOf = ({ id, invite_link }: GroupEntry) =>
  invite_link !== null ? html`kept secret; <code>GET /v1/groups/${id}</code> tells it` : none("none yet")
