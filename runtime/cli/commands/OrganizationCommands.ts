import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import { Clock, Effect } from "effect"
import { Command } from "effect/cli"
import { type Organization, Organizations } from "../../access/Operator.ts"
import { AccountDirectory } from "../../billing/Operator.ts"
import { recordChange } from "../kit/Audited.ts"
import { facts, print, table } from "../kit/Output.ts"
import { foundOrganization, idArgument, limit } from "../kit/Parameters.ts"

const id = idArgument("organization", "Id of the organization", "org_…")

const shown = (organization: Organization) => ({
  id: organization.id,
  name: organization.name,
  status: organization.suspended_at === null ? "active" : "suspended",
  suspended_at: formatTimestampOrNull(organization.suspended_at),
  credit_blocked: organization.credit_blocked,
  created_at: formatTimestamp(organization.created_at)
})
const printOne = (organization: Organization) => print(shown(organization), facts(shown(organization)))

const standingOf = (organization: Organization) => ({
  status: shown(organization).status,
  credit_blocked: String(organization.credit_blocked)
})

const list = Command.make("list", { limit }, ({ limit }) =>
  Effect.gen(function* () {
    const found = (yield* (yield* Organizations).list(undefined, limit)).map(shown)
    const rows = found.map(({ id, name, status, credit_blocked, created_at }) => [
      id,
      name,
      credit_blocked ? `${status}, credit blocked` : status,
      created_at
    ])
    yield* print({ data: found }, table(["id", "name", "status", "created_at"], rows, "no organizations"))
  })
).pipe(Command.withDescription("List organizations, newest first"))

const show = Command.make("show", { id }, ({ id }) =>
  Effect.gen(function* () {
    yield* printOne(yield* foundOrganization(id))
  })
).pipe(Command.withDescription("Show one organization"))

const suspend = Command.make("suspend", { id }, ({ id }) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const before = yield* foundOrganization(id)
    const after = yield* (yield* Organizations).suspend(id, now)
    yield* recordChange(id, { action: "organization.suspended", before: standingOf(before), after: standingOf(after) })
    yield* printOne(after)
  })
).pipe(Command.withDescription("Suspend an organization: its keys answer 403 from the next request on"))

const resume = Command.make("resume", { id }, ({ id }) =>
  Effect.gen(function* () {
    const before = yield* foundOrganization(id)
    const after = yield* (yield* Organizations).resume(id)
    yield* recordChange(id, { action: "organization.resumed", before: standingOf(before), after: standingOf(after) })
    yield* printOne(after)
  })
).pipe(Command.withDescription("End a suspension"))

const credit = (name: string, blocked: boolean, about: string) =>
  Command.make(name, { id }, ({ id }) =>
    Effect.gen(function* () {
      const before = yield* foundOrganization(id)
      if (yield* (yield* AccountDirectory).hasMoved(id)) return yield* Effect.fail(new Error(balanceDecides))
      const after = yield* (yield* Organizations).setCreditBlock(id, blocked)
      const action = blocked ? "organization.credit_blocked" : "organization.credit_unblocked"
      yield* recordChange(id, { action, before: standingOf(before), after: standingOf(after) })
      yield* printOne(after)
    })
  ).pipe(Command.withDescription(about))

/** gaps-3 D "production_blocked" */
const balanceDecides =
  "The balance decides since it first moved: carteiro ledger credit and debit move it, with a reason."

/** Commands about a whole tenant. A-AUTH-11, A-AUTH-16 */
export const organizations = Command.make("organizations").pipe(
  Command.withSubcommands([
    list,
    show,
    suspend,
    resume,
    credit(
      "block-credit",
      true,
      "Refuse restricted production operations with 402; only before the balance first moved"
    ),
    credit("unblock-credit", false, "End such a block; only before the balance first moved")
  ])
)
