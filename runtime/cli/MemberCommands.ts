import { clean, label } from "@carteiro/schema/conventions/Text.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Clock, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { type Member, Members, memberRoles } from "../access/Access.ts"
import { facts, print, table } from "./Output.ts"
import { Email, idArgument, organization } from "./Parameters.ts"

const id = idArgument("member", "Id of the member", "mem_…")
const role = Flag.Literals("role", memberRoles).pipe(Flag.withDescription("What the member may do"))

const shown = ({ created_at, ...member }: Member) => ({ ...member, created_at: formatTimestamp(created_at) })
const printOne = (member: Member) => print(shown(member), facts(shown(member)))

const list = Command.make("list", { organization }, ({ organization }) =>
  Effect.gen(function* () {
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
    email: Flag.String("email").pipe(Flag.withDescription("Email address"), Flag.withSchema(Email)),
    name: Flag.String("name").pipe(Flag.withDescription("Name"), Flag.withSchema(label(1, 120))),
    role: role.pipe(Flag.withDefault("member"))
  },
  ({ organization, email, name, role }) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const members = yield* Members
      yield* printOne(yield* members.add({ organization_id: organization, email, name: clean(name), role }, now))
    })
).pipe(Command.withDescription("Add a member; `carteiro sign-in` gives them a way in"))

const changeRole = Command.make("role", { organization, id, role }, ({ organization, id, role }) =>
  Effect.gen(function* () {
    yield* printOne(yield* (yield* Members).change(organization, id, { role }))
  })
).pipe(Command.withDescription("Give a member another role"))

const standing = (name: string, active: boolean, about: string) =>
  Command.make(name, { organization, id }, ({ organization, id }) =>
    Effect.gen(function* () {
      yield* printOne(yield* (yield* Members).change(organization, id, { active }))
    })
  ).pipe(Command.withDescription(about))

/** The people of the dashboard. gaps-1 C "Dashboard sessions and roles" */
export const members = Command.make("members").pipe(
  Command.withDescription("The people who may sign in to the dashboard"),
  Command.withSubcommands([
    list,
    add,
    changeRole,
    standing("deactivate", false, "End every session of a member and let no new one begin"),
    standing("activate", true, "Let a member sign in again")
  ])
)
