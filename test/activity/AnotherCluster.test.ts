import { continueActivityNumbers } from "@carteiro/runtime/activity/Activity.ts"
import { ActivityReads } from "@carteiro/runtime/activity/ActivityReads.ts"
import { activityIsElsewhere } from "@carteiro/runtime/activity/Operator.ts"
import { activityFinding } from "@carteiro/runtime/cli/doctor/DatabaseFindings.ts"
import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { WholeProduct } from "../support/WholeProduct.ts"
import { countAll } from "./CountAll.ts"

const begin = 1_800_000_000_000 - (1_800_000_000_000 % hourMs)
let written = 0

const write = (environment: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`insert into outbox_events
      (environment_id, id, type, source_type, source_id, trace_id, created_at, envelope)
      values (${environment}, ${`evt_${++written}`}, 'message.sent', 'message', 'msg_1', 'trace', ${new Date(begin)}, '{}')`
  )

/** Gives the database the numbers of a cluster whose transactions were so many further, or behind. */
const move = Effect.fnUntraced(function* (distance: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update outbox_events set written_in = greatest(1, written_in + ${distance})`
  yield* sql`update activity_borders set counted_before = greatest(1, counted_before + ${distance}), system_identifier = '1'`
})

const sent = (environment: string) =>
  Effect.map(
    Effect.flatMap(ActivityReads, (reads) => reads.since(environment, 0)),
    (hours) => hours.map(({ count }) => count)
  )

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })(
  "Activity in another database cluster",
  (it) => {
    it.effect.each([
      ["far behind", 5_000_000_000],
      ["a little behind", 1000],
      ["ahead", -100_000_000]
    ] as const)(
      "goes on where it stood, though its transactions are %s: nothing is lost or counted twice",
      ([name, distance]) =>
        Effect.gen(function* () {
          const environment = `env_moved_${name.replaceAll(" ", "_")}`
          yield* write(environment)
          yield* countAll
          yield* write(environment)
          yield* write(environment)
          yield* move(distance)
          assert.isTrue(yield* activityIsElsewhere)
          assert.strictEqual(activityFinding(true).status, "wrong")

          yield* Effect.all([continueActivityNumbers, continueActivityNumbers], { concurrency: 2 })
          assert.isFalse(yield* activityIsElsewhere)
          yield* write(environment)
          yield* countAll
          assert.deepStrictEqual(yield* sent(environment), [4])
          // A second start, and numbers that pass those of before, change nothing.
          yield* continueActivityNumbers
          yield* write(environment)
          yield* countAll
          assert.deepStrictEqual(yield* sent(environment), [5])
        })
    )
  }
)
