import { Commit, type Submitted } from "@carteiro/owners/Commit.ts"
import { commitLayer } from "@carteiro/owners/CommitLayer.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { contractRefusals } from "@carteiro/runtime/room/EngineTypes.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { ReadPatience } from "@carteiro/tables/ConnectionLimits.ts"
import * as Migrations from "@carteiro/tables/Migrations.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { noLease } from "../../packages/owners/commit/Statement.ts"
import { replicated, waitForStandby } from "../support/Standby.ts"
import { until } from "../support/Until.ts"

const insertNote = defineWrite({
  name: "notes.insert",
  columns: { id: "text" },
  sql: (source) => `insert into notes (id) select r.id from ${source} r`
})

const submitted = Effect.flatMap(Commit, (commit) =>
  Effect.callback<Submitted>((resume) =>
    commit.submit("one", [{ ...noLease, rows: [insertNote.row({ id: "n1" })], completes: undefined }], (ended) =>
      resume(Effect.succeed(ended))
    )
  )
)

it.live(
  "a commit that no synchronous standby has is neither shown nor believed, also when a server shows it after all",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { primary } = yield* replicated
        yield* Effect.provide(
          Effect.andThen(
            Migrations.migrate(),
            Effect.flatMap(SqlClient.SqlClient, (sql) => sql`create table notes (id text primary key)`)
          ),
          Sql.layer(primary, { applicationName: "carteiro-test-migrate", maxConnections: 2 })
        )
        const admin = Context.get(
          yield* Layer.build(Sql.layer(primary, { applicationName: "carteiro-test-admin", maxConnections: 2 })),
          SqlClient.SqlClient
        )
        const waitFor = (standby: string) => waitForStandby(primary, standby)
        const waiting = (wait: string, text: string) => admin<{ readonly pid: number }>`select pid
          from pg_stat_activity where wait_event = ${wait} and query like ${`%${text}%`} and pid <> pg_backend_pid()`
        const notes = Effect.map(admin`select from notes`, (rows) => rows.length)

        yield* waitFor("none")
        const commit = yield* Effect.forkChild(
          Effect.provide(
            submitted,
            commitLayer.pipe(
              Layer.provide(
                Layer.mergeAll(Ids.layer, contractRefusals, Secrets.layer(Redacted.make([new Uint8Array(32).fill(7)])))
              ),
              Layer.provide(Sql.layer(primary, { applicationName: "carteiro-test-commit", maxConnections: 4 })),
              Layer.provide(Layer.succeed(ReadPatience, 500))
            )
          )
        )
        // The patience ends, and its outcome is looked up behind the commit, which still waits.
        yield* until(Effect.map(waiting("transactionid", "on conflict (id) do update"), (rows) => rows.length > 0))
        assert.strictEqual(yield* notes, 0)

        // A server that restarts, or a wait that is cancelled by hand, shows what no standby has.
        for (const { pid } of yield* waiting("SyncRep", "notes")) yield* admin`select pg_cancel_backend(${pid}::int)`
        yield* until(Effect.map(notes, (count) => count === 1))
        yield* until(Effect.map(waiting("SyncRep", "on conflict (id) do update"), (rows) => rows.length > 0))
        assert.isUndefined(commit.pollUnsafe())

        yield* waitFor("")
        assert.deepStrictEqual((yield* Fiber.join(commit)).statuses, ["committed"])
      })
    ),
  240_000
)
