import type { MemberList, MemberResource } from "@carteiro/schema/access/MembersApi.ts"
import type { MemberRole } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Layer } from "effect"
import { errorAt, field, type Refused } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { organizationList } from "../kit/ListPage.ts"
import { pageOf } from "../kit/Lists.ts"
import { nameError, nameField } from "../kit/NameField.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, type Visit } from "../kit/Pages.ts"
import { badge, form, input, instant, personText, type Table, table } from "../kit/Parts.ts"
import { refusalText } from "../kit/RefusalTexts.ts"
import { SignIn } from "../ports/Sessions.ts"
import { linkPage, memberAddress, membersAddress, roleChoice, standing } from "./MemberParts.ts"

/** The typed values of the form, and the errors of its fields. */
interface Typed extends Refused<"name" | "email" | "role"> {
  readonly name: string
  readonly email: string
}

/** One person in the list, and the roles that the visitor may give. */
interface Listed {
  readonly member: MemberResource
  readonly assignable: ReadonlyArray<MemberRole>
}

/** The people of the organization; adding one shows their way in. Decision 0007 */
export const MembersHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { members } = yield* Operations
    const signIn = yield* SignIn

    const { routes, show } = yield* organizationList({
      operation: "members",
      path: membersAddress,
      title: "Members",
      section: "members",
      filters: {},
      read: (_place, _search, before, count, visit) =>
        Effect.map(members.list(asVisitor(visit)), (all) =>
          pageOf(listed(all), ({ member }) => member.id, before, count)
        ),
      idOf: ({ member }) => member.id,
      table: (rows, _, nothing, visit) =>
        memberTable(
          visit,
          rows.map(({ member }) => member),
          nothing
        ),
      file: membersOf(({ member }: Listed) => member, "id", "name", "email", "role", "created_at"),
      empty: () => ({ purpose: say("People of your organization who may sign in here.") }),
      around: (_, visit, rows) =>
        Effect.succeed(visit.mayChange ? { after: addForm(visit, rows[0]?.assignable ?? [], undefined) } : {})
    })

    const add = Effect.fnUntraced(function* (visit: Visit, sent: URLSearchParams): Effect.fn.Return<Outcome, ApiError> {
      const name = field(sent, "name")
      const email = field(sent, "email").trim()
      const payload = { name, email, role: field(sent, "role") as MemberRole }
      const added = yield* Effect.catchTag(
        members.add(asVisitor(visit), { payload }),
        ["invalid_member_request", "member_email_taken", "owners_only"],
        Effect.fnUntraced(function* (refusal) {
          const { assignable_roles } = yield* members.list(asVisitor(visit))
          const typed: Typed = { name, email, ...faultOf(refusal, name) }
          const after = addForm(visit, assignable_roles, typed)
          return yield* Effect.map(show(visit, { around: { page: { status: 400 }, after } }), (page) => ({ page }))
        })
      )
      if ("page" in added) return added.page
      const url = yield* signIn.link(visit.organizationId, added.id, visit.now)
      return { ...linkPage(added, url, "Member added"), audited: { subject: added.id } }
    })

    return Layer.merge(
      routes,
      action({ operation: "addMember", audit: "member.added", keeps: ["role"], path: membersAddress, handler: add })
    )
  })
)

const listed = ({ assignable_roles, data }: typeof MemberList.Type): ReadonlyArray<Listed> =>
  data.map((member) => ({ member, assignable: assignable_roles }))

/** Returns the field that a refusal is about, and what is wrong with it. */
const faultOf = (refusal: ApiError, name: string): Pick<Typed, "field" | "error"> => {
  if (refusal._tag === "member_email_taken") return { field: "email", error: refusalText(refusal) }
  if (refusal.param === "name") return { field: "name", error: nameError(name) ?? refusalText(refusal) }
  if (refusal.param === "email") return { field: "email", error: "That is no email address." }
  return { field: "role", error: "Pick one of the roles." }
}

const memberTable = (visit: Visit, all: ReadonlyArray<MemberResource>, nothing: Piece): Table =>
  table(
    "Members of the organization",
    ["Name", "Email", "Role", "Status", "Added"],
    all.map((member) => [
      personText(
        html`<a href="${memberAddress(member)}">${member.name}</a> ${
          member.id === visit.session.member.id && badge("you", "info")
        }`
      ),
      personText(member.email),
      contractWord(member.role),
      standing(member),
      instant(member.created_at)
    ]),
    nothing
  )

const addForm = (visit: Visit, assignable: ReadonlyArray<MemberRole>, typed: Typed | undefined): Html =>
  html`<section class="card" aria-labelledby="add"><h2 id="add">Add a member</h2>
${form(
  membersAddress,
  visit.csrf,
  html`<div class="pair">${nameField(typed?.name ?? "", errorAt(typed, "name"))}
${input({
  name: "email",
  label: "Email",
  type: "email",
  hint: say("Nothing is sent there. You are shown a link to pass on."),
  value: typed?.email ?? "",
  error: errorAt(typed, "email"),
  required: true,
  maxLength: 255,
  plain: true
})}
${roleChoice(assignable, "member", errorAt(typed, "role"))}</div>
<div class="buttons"><button class="primary">Add the member</button></div>`
)}</section>`
