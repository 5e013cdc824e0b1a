import type { MemberResource } from "@carteiro/schema/access/MembersApi.ts"
import type { MemberRole } from "@carteiro/schema/conventions/Access.ts"
import { secret } from "../kit/CopyParts.ts"
import { type Html, html } from "../kit/Html.ts"
import { contractWord, type Label, say } from "../kit/Language.ts"
import type { Page } from "../kit/Layout.ts"
import { badge, notice, select } from "../kit/Parts.ts"

export const membersAddress = "/dashboard/members"

export const memberAddress = ({ id }: Pick<MemberResource, "id">): string => `${membersAddress}/${id}`

/** Whether a member can sign in. */
export const standing = ({ active }: MemberResource) =>
  active ? badge("active", "good") : badge("deactivated", "plain")

/** The roles that a visitor may give: only owners make owners. Decision 0007 */
export const roleChoice = (assignable: ReadonlyArray<MemberRole>, chosen: MemberRole, error?: string | Html) =>
  select({
    name: "role",
    label: "Role",
    choices: assignable.toReversed().map((role) => [role, contractWord(role)]),
    chosen,
    error,
    hint: say("Members look. Admins also change things, and manage members and admins. Owners also manage owners.")
  })

/** Shows a way in once. */
export const linkPage = (member: MemberResource, url: string, title: Label): Page => ({
  title,
  section: "members",
  status: 201,
  up: [membersAddress, "Members"],
  body: html`<div class="card">
${notice("warn", html`Send this link to <strong>${member.name}</strong> and nobody else: whoever opens it is signed in as ${member.name} (${contractWord(member.role)}). It is shown this once, works once, and ends in 15 minutes.`)}
${secret("Sign-in link", url)}
</div>`
})
