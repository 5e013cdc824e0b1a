import type { GroupEntry } from "@carteiro/schema/groups/Group.ts"
import type { GroupStatus } from "@carteiro/schema/groups/GroupEvents.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { say, statusWord } from "../kit/Language.ts"
import { badge, none, type Tone } from "../kit/Parts.ts"
import { refusalText } from "../kit/RefusalTexts.ts"

/** Where the section begins. */
export const groupsAddress = "/dashboard/groups"

const tones: Readonly<Record<typeof GroupStatus.Type, Tone>> = {
  pending: "info",
  active: "good",
  failed: "bad",
  deleting: "warn",
  deleted: "plain"
}

/** Where a group stands. */
export const groupBadge = (status: typeof GroupStatus.Type): Html => badge(statusWord("group", status), tones[status])

/** How the last operation at the provider ended. */
export const outcomeOf = ({ failure, status }: Pick<GroupEntry, "failure" | "status">): Piece => {
  if (failure !== null) return html`<code>${failure.code}</code> ${refusalText(failure)}`
  if (status === "pending") return say("Waits for the platform's report.")
  return status === "deleting" ? say("Waits to be removed.") : none("done")
}
