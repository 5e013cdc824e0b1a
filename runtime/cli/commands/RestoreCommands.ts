import { formatTimestamp, formatTimestampOrNull, parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Clock, Effect, Layer } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { outwardKinds } from "../../app/Fold.ts"
import type { OutwardWork } from "../../restore/OutwardWork.ts"
import { OutwardKinds, type ReleasedWork, RestoreRefused, RestoreRepo } from "../../restore/RestoreRepo.ts"
import { facts, print, table } from "../kit/Output.ts"
import { limit, orUndefined } from "../kit/Parameters.ts"

const to = Flag.String("to").pipe(
  Flag.withDescription("The instant that the database was restored to"),
  Flag.withMetavar("2026-01-31T12:00:00Z"),
  Flag.optional
)

const promoted = Flag.Boolean("promoted").pipe(
  Flag.withDescription("Instead: the last transaction of the standby that was promoted, as it tells itself"),
  Flag.withDefault(false)
)

const accept = Command.make("accept", { promoted, to }, ({ promoted, to }) =>
  Effect.gen(function* () {
    const named = orUndefined(to)
    if ((named === undefined) === !promoted) {
      return yield* new RestoreRefused({ message: "Name the instant with --to, or --promoted." })
    }
    const repo = yield* RestoreRepo
    const restored = named === undefined ? yield* repo.lastReplayed : parseTimestamp(named)
    const now = yield* Clock.currentTimeMillis
    if (restored === undefined || restored > now) {
      return yield* new RestoreRefused({
        message: "--to: expected an instant of the past such as 2026-01-31T12:00:00Z"
      })
    }
    const held = yield* repo.accept(restored, now)
    yield* print({ restored_to: formatTimestamp(restored), held: Object.fromEntries(held) }, heldText(held))
  })
).pipe(
  Command.withDescription(
    "Hold every send, charge and delivery that may have left after INSTANT; run it before the first node starts"
  )
)

const heldText = (held: ReadonlyMap<string, number>): string =>
  held.size === 0
    ? "Nothing is held. Nodes may start."
    : `${facts(Object.fromEntries(held))}\n\nNodes may start. restore list shows what is held; restore release and restore fail decide it.`

const kind = Flag.String("kind").pipe(
  Flag.withDescription("Only this kind: sends, batches, deliveries, charges, renewals, payments, orders, emails, …"),
  Flag.optional
)

const list = Command.make("list", { kind, limit }, ({ kind, limit }) =>
  Effect.gen(function* () {
    const repo = yield* RestoreRepo
    const wanted = orUndefined(kind)
    if (wanted !== undefined) yield* kindNamed(wanted)
    const held = yield* repo.list(wanted, limit)
    const data = held.map(({ due_at, held_at, ...rest }) => ({
      ...rest,
      due_at: formatTimestampOrNull(due_at),
      held_at: formatTimestamp(held_at)
    }))
    const rows = data.map(({ due_at, id, kind, scope }) => [kind, id, scope, due_at ?? "-"])
    yield* print({ data }, table(["kind", "id", "of", "was_due_at"], rows, "nothing is held"))
  })
).pipe(Command.withDescription("List held work, oldest first"))

const id = Argument.String("id").pipe(Argument.withDescription("Id of one piece of held work"), Argument.optional)
const all = Flag.Boolean("all").pipe(Flag.withDescription("All held work of --kind"), Flag.withDefault(false))

const release = Command.make("release", { id, kind, all }, (chosen) =>
  decide(chosen, "released", (repo, kind, id) => repo.release(kind, id))
).pipe(Command.withDescription("Let held work leave: one by its id, or all of a kind"))

const fail = Command.make("fail", { id, kind, all }, (chosen) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    yield* decide(chosen, "failed", (repo, kind, id) => repo.fail(kind, id, now))
  })
).pipe(Command.withDescription("End held work that is not to leave: one by its id, or all of a kind"))

interface Chosen {
  readonly id: Parameters<typeof orUndefined<string>>[0]
  readonly kind: Parameters<typeof orUndefined<string>>[0]
  readonly all: boolean
}

const decide = Effect.fnUntraced(function* (
  { all, id, kind }: Chosen,
  done: "released" | "failed",
  change: (
    repo: RestoreRepo["Service"],
    kind: OutwardWork,
    id: string | undefined
  ) => Effect.Effect<ReleasedWork> | undefined
) {
  const repo = yield* RestoreRepo
  const [one, named] = [orUndefined(id), orUndefined(kind)]
  if ((one === undefined) === !all || (all && named === undefined)) {
    return yield* new RestoreRefused({ message: "Name the id of one piece of held work, or --all with --kind." })
  }
  const found = one === undefined ? yield* kindNamed(named ?? "") : yield* repo.kindOf(one)
  if (found === undefined) return yield* new RestoreRefused({ message: `${one} is not held.` })
  const changing = change(repo, found, one)
  if (changing === undefined) {
    const message = `Work of kind ${found.kind} cannot be failed: release it. Its vendor is asked by our id, so that nothing is made twice.`
    return yield* new RestoreRefused({ message })
  }
  const { changed, ended } = yield* changing
  const others = ended === 0 ? "" : `; ${ended} had ended while held`
  yield* print({ kind: found.kind, [done]: changed, ended }, `${changed} ${done}${others}`)
})

const kindNamed = Effect.fnUntraced(function* (name: string) {
  const kinds = yield* OutwardKinds
  const found = kinds.find(({ kind }) => kind === name)
  const known = kinds.map(({ kind }) => kind).join(", ")
  return found ?? (yield* new RestoreRefused({ message: `--kind: expected one of ${known}, not "${name}"` }))
})

/** Decides what leaves after the database was restored to an earlier point. decision 0066 */
export const restore = Command.make("restore").pipe(
  Command.withDescription(
    "After the database was restored to an earlier point: hold what may have left since, list, release, fail"
  ),
  Command.withSubcommands([accept, list, release, fail]),
  Command.provide(RestoreRepo.layer.pipe(Layer.provideMerge(outwardKinds)))
)
