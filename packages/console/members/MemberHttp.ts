import type { MemberRead, UpdateMember } from "@carteiro/schema/access/MembersApi.ts"
import type { MemberRole } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Layer } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { field, unconfirmed } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { contractWord, say } from "../kit/Language.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, form, instant } from "../kit/Parts.ts"
import { NotAllowed, NotHere } from "../kit/Refusals.ts"
import { SignIn } from "../ports/Sessions.ts"
import { linkPage, memberAddress, membersAddress, roleChoice, standing } from "./MemberParts.ts"

const path = `${membersAddress}/:id`

/** One person: role, a new way in, and whether they may come in at all. Decision 0007 */
export const MemberHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { members } = yield* Operations
    const signIn = yield* SignIn

    const requireMember = (visit: Visit) =>
      Effect.catchTag(
        members.get(asVisitor(visit), { params: { member_id: visit.request.params.id ?? "" } }),
        "member_not_found",
        () => Effect.fail(new NotHere())
      )

    const change = (visit: Visit, payload: typeof UpdateMember.Type) =>
      members.update(asVisitor(visit), { params: { member_id: visit.request.params.id ?? "" }, payload })

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const member = yield* requireMember(visit)
      return {
        title: html`${member.name}`,
        section: "members",
        up: [membersAddress, "Members"],
        body: html`<div class="card">${facts([
          ["Email", member.email],
          ["Role", contractWord(member.role)],
          ["Status", standing(member)],
          ["Added", instant(member.created_at)],
          ["Id", html`<code>${member.id}</code>`]
        ])}</div>
${manages(visit, member) && [wayIn(visit, member), roleForm(visit, member), ending(visit, member)]}`
      }
    })

    const makeLink = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const member = yield* requireMember(visit)
      if (!manages(visit, member)) return yield* new NotAllowed({ message: "Only owners let owners in." })
      if (!member.active) return yield* new NotHere({ message: `${member.name} is deactivated; activate them first.` })
      return linkPage(member, yield* signIn.link(visit.organizationId, member.id, visit.now), "Sign-in link")
    })

    const setRole = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const role = field(sent, "role") as MemberRole
      const { role: before } = yield* requireMember(visit)
      const member = yield* Effect.catchTag(change(visit, { role }), "invalid_member_request", () =>
        Effect.fail(new NotHere({ message: "There is no such role." }))
      )
      return { to: `${memberAddress(member)}?done=saved`, audited: { before: { role: before } } }
    })

    const askDeactivate = Effect.fnUntraced(function* (
      visit: Visit,
      error?: Html
    ): Effect.fn.Return<Outcome, ApiError> {
      const member = yield* requireMember(visit)
      return confirmationPage({
        title: html`Deactivate ${member.name}?`,
        section: "members",
        up: [memberAddress(member), html`${member.name}`],
        action: `${memberAddress(member)}/deactivate`,
        csrf: visit.csrf,
        explanation: html`${member.id === visit.session.member.id && html`<p><strong>This is you.</strong></p>`}
<p>${member.name} is signed out everywhere with the next request and cannot sign in again until somebody activates them. Devices they approved get no key that they have not taken yet; keys that exist keep working.</p>`,
        button: "Deactivate",
        dangerous: true,
        name: { value: member.name, error }
      })
    })

    const setActive = (active: boolean) =>
      action({
        operation: active ? "activateMember" : "deactivateMember",
        audit: active ? "member.activated" : "member.deactivated",
        path: `${path}/${active ? "activate" : "deactivate"}`,
        handler: Effect.fnUntraced(function* (visit, sent): Effect.fn.Return<Outcome, ApiError> {
          const asked = yield* requireMember(visit)
          const error = active || !manages(visit, asked) ? undefined : unconfirmed(sent, asked.name)
          if (error !== undefined) return yield* askDeactivate(visit, error)
          const member = yield* change(visit, { active })
          return { to: `${memberAddress(member)}?done=${active ? "activated" : "deactivated"}` }
        })
      })

    return Layer.mergeAll(
      page({ operation: "member", path, handler: show }),
      action({
        operation: "makeSignInLink",
        audit: "member.sign_in_link_made",
        path: `${path}/sign-in-link`,
        handler: makeLink
      }),
      action({
        operation: "setMemberRole",
        audit: "member.role_set",
        keeps: ["role"],
        path: `${path}/role`,
        handler: setRole
      }),
      page({ operation: "askDeactivateMember", path: `${path}/deactivate`, handler: (visit) => askDeactivate(visit) }),
      setActive(false),
      setActive(true)
    )
  })
)

const manages = (visit: Visit, member: MemberRead): boolean => visit.mayChange && member.may_manage

const wayIn = (visit: Visit, member: MemberRead): Html | undefined =>
  member.active
    ? html`<section class="card" aria-labelledby="way-in"><h2 id="way-in">Sign-in link</h2>
<p>Makes a link that signs ${member.name} in once, within 15 minutes.</p>
${form(`${memberAddress(member)}/sign-in-link`, visit.csrf, html`<div class="buttons"><button>Make a sign-in link</button></div>`)}</section>`
    : undefined

const roleForm = (visit: Visit, member: MemberRead): Html =>
  html`<section class="card" aria-labelledby="role-title"><h2 id="role-title">Role</h2>
${
  member.is_last_owner
    ? html`<p>An organization keeps at least one active owner. Make somebody else an owner first.</p>`
    : form(
        `${memberAddress(member)}/role`,
        visit.csrf,
        html`<div class="narrow">${roleChoice(member.assignable_roles, member.role)}</div>
<div class="buttons"><button class="primary">Save the role</button></div>`
      )
}</section>`

const ending = (visit: Visit, member: MemberRead): Html | false =>
  !member.is_last_owner &&
  html`<section class="card" aria-labelledby="ending"><h2 id="ending">${member.active ? say("Deactivate") : say("Activate")}</h2>
<p>${member.active ? say("Somebody who is deactivated cannot sign in. Nothing they made is lost.") : say("Lets them sign in again, with a new link.")}</p>
${
  member.active
    ? html`<div class="buttons"><a class="button danger" href="${memberAddress(member)}/deactivate">Deactivate…</a></div>`
    : form(`${memberAddress(member)}/activate`, visit.csrf, html`<div class="buttons"><button>Activate</button></div>`)
}</section>`
