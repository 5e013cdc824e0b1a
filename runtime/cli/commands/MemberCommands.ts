import { SignIn } from "@carteiro/console/Ports.ts"
import { realNow } from "@carteiro/owners/RealTime.ts"
import { EmailAddress } from "@carteiro/schema/access/Member.ts"
import { clean, label } from "@carteiro/schema/conventions/Text.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Members } from "../../access/Access.ts"
import { type Member, memberRoles } from "../../access/Operator.ts"
import { recordChange } from "../kit/Audited.ts"
import { facts, print, table } from "../kit/Output.ts"
import { foundOrganization, idArgument, organization } from "../kit/Parameters.ts"

const id = idArgument("member", "Id of the member", "mem_…")
const role = Flag.Literals("role", memberRoles).pipe(Flag.withDescription("What the member may do"))

const shown = ({ created_at, signed_out_at, ...member }: Member) => ({
  ...member,
  signed_out_at: formatTimestampOrNull(signed_out_at),
  created_at: formatTimestamp(created_at)
})
const printOne = (member: Member) => print(shown(member), facts(shown(member)))

const list = Command.make("list", { organization }, ({ organization }) =>
  Effect.gen(function* () {
    yield* foundOrganization(organization)
    const found = (yield* (yield* Members).list(organization)).map(shown)
    const rows = found.map(({ id, email, name, role, active }) => [
      id,
      email,
      name,
      active ? role : `${role}, inactive`
    ])
    yield* print({ data: found }, table(["id", "email", "name", "role"], rows, "no members"))
  })
).pipe(Command.withDescription("List the members of an organization"))

const add = Command.make(
  "add",
  {
    organization,
    email: Flag.String("email").pipe(Flag.withDescription("Email address"), Flag.withSchema(EmailAddress)),
    name: Flag.String("name").pipe(Flag.withDescription("Name"), Flag.withSchema(label(1, 120))),
    role: role.pipe(Flag.withDefault("member"))
  },
  ({ organization, email, name, role }) =>
    Effect.gen(function* () {
      const now = yield* realNow
      const members = yield* Members
      const wanted = { organization_id: organization, email, name: clean(name), role, language: null }
      const added = yield* members.add(wanted, "operator", now)
      yield* recordChange(organization, { action: "member.added", subject: added.id, after: { role } })
      const sign_in_url = yield* (yield* SignIn).link(organization, added.id, now)
      yield* print(
        { ...shown(added), sign_in_url },
        `${facts(shown(added))}\n\nThey sign in once, within 15 minutes, with:\n${sign_in_url}`
      )
    })
).pipe(Command.withDescription("Add a member and print a one-time sign-in link for them"))

const changeRole = Command.make("role", { organization, id, role }, ({ organization, id, role }) =>
  Effect.gen(function* () {
    const now = yield* realNow
    const members = yield* Members
    const before = yield* members.find(organization, id)
    const after = yield* members.change(organization, id, { role }, "operator", now)
    yield* recordChange(organization, {
      action: "member.role_set",
      subject: id,
      ...(before !== undefined && { before: { role: before.role } }),
      after: { role: after.role }
    })
    yield* printOne(after)
  })
).pipe(Command.withDescription("Give a member another role"))

const standing = (name: string, active: boolean, about: string) =>
  Command.make(name, { organization, id }, ({ organization, id }) =>
    Effect.gen(function* () {
      const now = yield* realNow
      const members = yield* Members
      const before = yield* members.find(organization, id)
      const after = yield* members.change(organization, id, { active }, "operator", now)
      yield* recordChange(organization, {
        action: active ? "member.activated" : "member.deactivated",
        subject: id,
        ...(before !== undefined && { before: { active: String(before.active) } }),
        after: { active: String(after.active) }
      })
      yield* printOne(after)
    })
  ).pipe(Command.withDescription(about))

/** The people of the dashboard. gaps-1 C "Dashboard sessions and roles" */
export const members = Command.make("members").pipe(
  Command.withSubcommands([
    list,
    add,
    changeRole,
    standing("deactivate", false, "End every session of a member and let no new one begin"),
    standing("activate", true, "Let a member sign in again")
  ])
)
