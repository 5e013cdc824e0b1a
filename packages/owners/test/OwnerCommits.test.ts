import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { EntityId, ShardId } from "effect/cluster"
import { OwnerCommits } from "../activation/OwnerCommits.ts"
import type { Submitted, UnitStatus } from "../commit/Commit.ts"

/** An owner whose commits end as told, one after another; a node that gets the shard back takes the next epoch. */
const committing = (statuses: ReadonlyArray<UnitStatus>, regains = true) => {
  const seen: Array<string> = []
  /** Asks, for each submission, whether what it was decided on still holds. */
  const begun: Array<(() => boolean) | undefined> = []
  const node = { epoch: 7 as number | undefined }
  const left = [...statuses]
  const memory = {
    drop: ({ epoch }: { readonly epoch: number }) => void seen.push(`dropped ${epoch}`),
    submitted: () => () => void seen.push("settled")
  }
  const context = {
    type: "Owner",
    commit: {
      submit: (
        _owner: string,
        [unit]: ReadonlyArray<{ readonly epoch: number }>,
        done: (submitted: Submitted) => void,
        stands?: () => boolean
      ) => {
        begun.push(stands)
        seen.push(`under ${unit?.epoch}`)
        done({ statuses: [left.shift() ?? "committed"], keys: () => new Set() })
      }
    } as never,
    epochs: {
      current: () => node.epoch,
      reconfirm: (_shard: unknown, fenced: number | undefined) =>
        Effect.sync(() => {
          seen.push(`lost ${fenced}`)
          node.epoch = regains ? (fenced ?? 0) + 1 : undefined
          return regains
        })
    } as never,
    fork: (effect: Effect.Effect<unknown>) => void Effect.runFork(effect)
  }
  const commits = new OwnerCommits(
    context,
    { entityId: EntityId.make("one"), shardId: ShardId.make("default", 1) },
    memory
  )
  return { begun, commits, seen }
}

const rows = [{ rows: [] }]

const decide = (commits: OwnerCommits, over: boolean) =>
  Effect.callback<Submitted>((resume) =>
    commits.decided({ epoch: 7, over }, rows, (submitted) => resume(Effect.succeed(submitted)))
  )

it.effect("a refused decision drops its memory before any caller gets an answer", () =>
  Effect.gen(function* () {
    const { commits, seen } = committing(["duplicate"])
    const { statuses } = yield* decide(commits, false)
    assert.deepStrictEqual(statuses, ["duplicate"])
    assert.deepStrictEqual(seen, ["under 7", "dropped 7", "settled"])
  })
)

it.effect("a decision on dropped memory never passes the fence, whichever node holds the shard now", () =>
  Effect.gen(function* () {
    const { commits, seen } = committing(["fenced"])
    yield* decide(commits, true)
    assert.strictEqual(seen[0], "under -1")
  })
)

it.effect("a decision on top of one that was not written is not begun any more", () =>
  Effect.gen(function* () {
    const { begun, commits } = committing(["unavailable"])
    const lease = { epoch: 7, over: false }
    const first = Effect.callback<Submitted>((resume) =>
      commits.decided(lease, rows, (submitted) => resume(Effect.succeed(submitted)))
    )
    yield* first
    assert.deepStrictEqual(
      begun.map((stands) => stands?.()),
      [false]
    )
    const refused = committing(["duplicate"])
    yield* decide(refused.commits, false)
    assert.deepStrictEqual(
      refused.begun.map((stands) => stands?.()),
      [true]
    )
  })
)

it.effect("a fact is written under the lease of now, and again under the next when that one was lost", () =>
  Effect.gen(function* () {
    const { commits, seen } = committing(["fenced", "unavailable", "committed"])
    const { statuses } = yield* commits.record(rows)
    assert.deepStrictEqual(statuses, ["committed"])
    assert.deepStrictEqual(seen, ["under 7", "lost 7", "under 8", "under 8"])
  })
)

it.effect("a fact is given up once another node holds the shard", () =>
  Effect.gen(function* () {
    const { commits, seen } = committing(["fenced"], false)
    const { statuses } = yield* commits.record(rows)
    assert.deepStrictEqual(statuses, ["fenced"])
    assert.deepStrictEqual(seen, ["under 7", "lost 7"])
  })
)
