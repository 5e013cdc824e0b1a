import { Commit, type Submitted } from "@carteiro/owners/Commit.ts"
import { commitLayer } from "@carteiro/owners/CommitLayer.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { contractRefusals } from "@carteiro/runtime/room/EngineTypes.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { rowOf } from "@carteiro/tables/TableWrite.ts"
import { defineWrite } from "@carteiro/tables/Write.ts"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { noLease } from "../../packages/owners/commit/Statement.ts"
import { makeClaim } from "../../packages/owners/idempotency/Claim.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const insertSeat = defineWrite({
  name: "guests.insert",
  columns: { id: "text" },
  sql: (source) => `insert into guests (id) select r.id from ${source} r`
})

/** A seat has one guest; `banned` is who may not come. */
const takeSeat = defineWrite({
  name: "seats.take",
  columns: { seat: "text", guest: "text", instead_of: "text" },
  claims: "guest",
  guard: (asked) => `select a.unit from ${asked} a where a.guest <> 'banned'`,
  sql: (source) => `insert into seats as s (seat, guest) select r.seat, r.guest from ${source} r order by r.seat
    on conflict (seat) do update set guest = excluded.guest
    where s.guest = (select r.instead_of from ${source} r where r.seat = s.seat limit 1)
    returning s.guest as key`,
  target: rowOf("seats", "seat")
})

const services = commitLayer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(Ids.layer, contractRefusals, Secrets.layer(Redacted.make([new Uint8Array(32).fill(7)])))
  ),
  Layer.provideMerge(TestDatabase.layer)
)

const submit = (units: Parameters<Commit["Service"]["submit"]>[1]) =>
  Effect.flatMap(Commit, (commit) =>
    Effect.callback<Submitted>((resume) => commit.submit("test", units, (done) => resume(Effect.succeed(done))))
  )

const unit = (seat: string, guest: string, instead_of: string | null = null, key?: string) => ({
  ...noLease,
  rows: [takeSeat.row({ seat, guest, instead_of }), insertSeat.row({ id: guest })],
  completes:
    key === undefined
      ? undefined
      : {
          claim: makeClaim({ environment_id: "env", key_hash: key, fingerprint: "", expires_at: 4_000_000_000_000 }),
          response: { status: 202, body: "" }
        }
})

it.layer(services, { excludeTestServices: true })("A claim of a commit", (it) => {
  const statuses = (units: Parameters<Commit["Service"]["submit"]>[1]) =>
    Effect.map(submit(units), (done) => done.statuses)
  const guests = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<{ readonly id: string }>`select id from guests order by id`, (rows) => rows.map(({ id }) => id))
  )

  it.effect("lets one unit pass and keeps the rest of the others out, their idempotency keys too M-GRD-02", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table seats (seat text primary key, guest text not null)`
      yield* sql`create table guests (id text primary key)`
      assert.deepStrictEqual(
        yield* statuses([unit("1", "ana", null, "k1"), unit("2", "banned", null, "k2"), unit("3", "bia")]),
        ["committed", "refused", "committed"]
      )
      assert.deepStrictEqual(yield* statuses([unit("1", "caio", null, "k3"), unit("4", "davi", null, "k4")]), [
        "refused",
        "committed"
      ])
      assert.deepStrictEqual(yield* guests, ["ana", "bia", "davi"])
      const keys = yield* sql<{ readonly key_hash: string }>`select key_hash from idempotency_records order by key_hash`
      assert.deepStrictEqual(
        keys.map(({ key_hash }) => key_hash),
        ["k1", "k4"]
      )
      // The row that was seen is taken over, another one is not.
      assert.deepStrictEqual(yield* statuses([unit("1", "eva", "somebody"), unit("3", "fabio", "bia")]), [
        "refused",
        "committed"
      ])
    })
  )

  it.effect("waits for a statement that is under way elsewhere, and passes only if that one did not M-GRD-02", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const held = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const elsewhere = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`insert into seats (seat, guest) values ('9', 'gil')`
            yield* Deferred.succeed(held, undefined)
            yield* Deferred.await(go)
          })
        )
      )
      yield* Deferred.await(held)
      const here = yield* Effect.forkChild(statuses([unit("9", "hugo", null, "k9"), unit("10", "iris")]))
      const waiting = sql<{ readonly n: number }>`select count(*)::int4 as n from pg_locks where not granted`
      yield* Effect.repeat(waiting, { until: ([row]) => (row?.n ?? 0) > 0 })
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(elsewhere)
      assert.deepStrictEqual(yield* Fiber.join(here), ["refused", "committed"])
      assert.notInclude(yield* guests, "hugo")
      assert.deepStrictEqual(yield* sql`select 1 from idempotency_records where key_hash = 'k9'`, [])
    })
  )
})
