import { GroupNotFound } from "@carteiro/schema/groups/GroupErrors.ts"
import { GroupStatus } from "@carteiro/schema/groups/GroupEvents.ts"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { GroupDirectory } from "../../groups/Operator.ts"
import { facts, print, table } from "../kit/Output.ts"
import { environment, foundEnvironment, idArgument, limit, orUndefined } from "../kit/Parameters.ts"

const id = idArgument("group", "Id of the group", "grp_…")

const list = Command.make(
  "list",
  {
    environment,
    number: Flag.String("number").pipe(
      Flag.withDescription("Only groups of this number"),
      Flag.withMetavar("pn_…"),
      Flag.optional
    ),
    status: Flag.Literals("status", GroupStatus.literals).pipe(Flag.withDescription("Only these"), Flag.optional),
    limit
  },
  ({ environment, limit, number, status }) =>
    Effect.gen(function* () {
      yield* foundEnvironment(environment)
      const wanted = { phone_number_id: orUndefined(number), status: orUndefined(status) }
      const data = yield* (yield* GroupDirectory).list(environment, wanted, undefined, limit)
      const rows = data.map((group) => [
        group.id,
        group.status,
        group.participant_count,
        group.failure?.code ?? "",
        group.created_at,
        group.subject
      ])
      yield* print(
        { data },
        table(["id", "status", "participants", "failure", "created_at", "subject"], rows, "no groups")
      )
    })
).pipe(Command.withDescription("List groups of an environment, newest first"))

const show = Command.make("show", { environment, id }, ({ environment, id }) =>
  Effect.gen(function* () {
    yield* foundEnvironment(environment)
    const directory = yield* GroupDirectory
    const group = (yield* directory.find(environment, id)) ?? (yield* new GroupNotFound())
    const changes = yield* directory.changes(environment, id, 100)
    const { failure, participants, ...plain } = group
    yield* print(
      { ...group, changes },
      [
        facts({ ...plain, failure: failure === null ? null : `${failure.code}: ${failure.message}` }),
        table(
          ["participant", "joined_at"],
          participants.map(({ chat_id, joined_at }) => [chat_id, joined_at]),
          "nobody is in it"
        ),
        table(
          ["participant", "change", "occurred_at"],
          changes.map(({ action, chat_id, occurred_at }) => [chat_id, action, occurred_at]),
          "nobody joined or left"
        )
      ].join("\n\n")
    )
  })
).pipe(Command.withDescription("Show one group with its participants; its invite link is never printed"))

/** Groups of one environment. Document 3, "Group" */
export const groups = Command.make("groups").pipe(Command.withSubcommands([list, show]))
