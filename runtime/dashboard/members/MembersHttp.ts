import { EmailAddress } from "@carteiro/schema/access/Member.ts"
import { MemberEmailTaken } from "@carteiro/schema/access/MemberErrors.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Layer, Schema } from "effect"
import { type Member, Members, mayManage, memberRoles } from "../../access/Access.ts"
import { errorAt, field, type Refused } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { organizationList } from "../kit/ListPage.ts"
import { pageOf } from "../kit/Lists.ts"
import { nameError, nameField } from "../kit/NameField.ts"
import { action, type Outcome, type Visit } from "../kit/Pages.ts"
import { badge, form, given, input, instant, type Table, table } from "../kit/Parts.ts"
import { SignIn } from "../sessions/SignIn.ts"
import { linkPage, memberAddress, membersAddress, roleChoice, standing } from "./MemberParts.ts"

/** The typed values of the form, and the errors of its fields. */
interface Typed extends Refused<"name" | "email" | "role"> {
  readonly name: string
  readonly email: string
}

/** The people of the organization; adding one shows their way in. Decision 0007 */
export const MembersHttp = Layer.unwrap(
  Effect.gen(function* () {
    const members = yield* Members
    const signIn = yield* SignIn

    const { routes, show } = yield* organizationList({
      operation: "members",
      path: membersAddress,
      title: "Members",
      section: "members",
      filters: {},
      read: ({ id }, _, before, count) =>
        Effect.map(members.list(id), (all) => pageOf(all, (member) => member.id, before, count)),
      idOf: ({ id }) => id,
      table: (rows, _, nothing, visit) => memberTable(visit, rows, nothing),
      file: membersOf((member: Member) => member, "id", "name", "email", "role", "created_at"),
      empty: () => ({ purpose: say("People of your organization who may sign in here.") }),
      around: (_, visit) => Effect.succeed(visit.mayChange ? { after: addForm(visit, undefined) } : {})
    })

    const list = (visit: Visit, typed: Typed): Effect.Effect<Outcome, ApiError> =>
      show(visit, { around: { page: { status: 400 }, after: addForm(visit, typed) } })

    const add = Effect.fnUntraced(function* (visit: Visit, sent: URLSearchParams): Effect.fn.Return<Outcome, ApiError> {
      const name = field(sent, "name")
      const email = field(sent, "email").trim()
      const role = field(sent, "role")
      const by = visit.session.member.role
      const refuse = (field: Typed["field"], error: string) => list(visit, { name, email, field, error })
      const unnamed = nameError(name)
      if (unnamed !== undefined) return yield* refuse("name", unnamed)
      if (!isEmail(email)) return yield* refuse("email", "That is no email address.")
      if (!isRole(role) || !mayManage(by, role)) return yield* refuse("role", "Pick one of the roles.")
      const added = yield* members
        .add({ organization_id: visit.organizationId, name, email, role }, by, visit.now)
        .pipe(Effect.catchTag("member_email_taken", () => Effect.undefined))
      if (added === undefined) return yield* refuse("email", new MemberEmailTaken().message)
      const url = yield* signIn.link(visit.organizationId, added.id, visit.now)
      return { ...linkPage(added, url, "Member added"), audited: { subject: added.id } }
    })

    return Layer.merge(
      routes,
      action({ operation: "addMember", audit: "member.added", keeps: ["role"], path: membersAddress, handler: add })
    )
  })
)

const isEmail = Schema.is(EmailAddress)
const isRole = Schema.is(Schema.Literals(memberRoles))

const memberTable = (visit: Visit, all: ReadonlyArray<Member>, nothing: Piece): Table =>
  table(
    "Members of the organization",
    ["Name", "Email", "Role", "Status", "Added"],
    all.map((member) => [
      given(
        html`<a href="${memberAddress(member)}">${member.name}</a> ${
          member.id === visit.session.member.id && badge("you", "info")
        }`
      ),
      given(member.email),
      contractWord(member.role),
      standing(member),
      instant(member.created_at)
    ]),
    nothing
  )

const addForm = (visit: Visit, typed: Typed | undefined): Html =>
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
${roleChoice(visit, "member", errorAt(typed, "role"))}</div>
<div class="buttons"><button class="primary">Add the member</button></div>`
)}</section>`
