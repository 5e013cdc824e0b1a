import { withDatabase } from "@carteiro/runtime/boot/Database.ts"
import { lookAtPoolers } from "@carteiro/runtime/boot/Poolers.ts"
import { ReadPatience } from "@carteiro/tables/ConnectionLimits.ts"
import { one } from "@carteiro/tables/Read.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { sqlErrorsOf } from "@carteiro/tables/SqlFailure.ts"
import { CurrentStart, StartPatience } from "@carteiro/tables/StartPatience.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { databaseProxy } from "../support/DatabaseProxy.ts"
import { create } from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

/** Lines of the log of one run, by their messages. */
const logged = () => {
  const lines: Array<string> = []
  return { lines, layer: Logger.layer([Logger.make(({ message }) => lines.push(String(message)))]) }
}

/** Longer than any machine needs, and told of at once. */
const patient = () => new StartPatience(120_000, 20)

const waits = /PostgreSQL has not answered yet; the start waits/

/** Returns the line with which a start over this URL is refused. */
const refusal = (url: string, start: StartPatience) =>
  Effect.flip(withDatabase({ url, shownUrl: url, log: undefined, lost: Effect.never }, Effect.void)).pipe(
    Effect.provideService(CurrentStart, start),
    Effect.map((error) => ("message" in error ? error.message : "no message"))
  )

const question = Effect.flatMap(SqlClient.SqlClient, (sql) => one(sql<{ readonly n: number }>`select 1 as n`))

describe("a start waits for a PostgreSQL that answers late, and tells the log that it waits", () => {
  it.live(
    "for a connection that does not open, and for the look at a pooler before it",
    () =>
      Effect.gen(function* () {
        const proxy = yield* databaseProxy(yield* create("template0"))
        const database = { url: proxy.url, shownUrl: proxy.url, log: undefined, lost: Effect.never }
        const { layer, lines } = logged()
        proxy.vanish()
        const start = patient()
        const begun = Effect.all([lookAtPoolers(proxy.url, "carteiro-test"), withDatabase(database, question)])
        const starting = yield* Effect.forkChild(
          begun.pipe(Effect.provideService(CurrentStart, start), Effect.provide(layer))
        )
        yield* until(Effect.sync(() => lines.some((line) => waits.test(line))))
        proxy.comeBack("resumed")
        const [poolers, row] = yield* Fiber.join(starting)
        assert.strictEqual(row?.n, 1)
        // The proxy's own connection is no session that a pooler shares.
        assert.deepStrictEqual(poolers, [{ kind: "none" }])
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "for a read on an open connection; once the process is ready, a read has its own patience again",
    () =>
      Effect.gen(function* () {
        const proxy = yield* databaseProxy(yield* create("template0"))
        const { layer, lines } = logged()
        const start = patient()
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* question)?.n, 1)
          proxy.vanish()
          const asked = yield* Effect.forkChild(question)
          yield* until(Effect.sync(() => lines.some((line) => waits.test(line))))
          proxy.comeBack("resumed")
          assert.strictEqual((yield* Fiber.join(asked))?.n, 1)

          start.end()
          proxy.vanish()
          const [error] = sqlErrorsOf(yield* Effect.flip(Effect.sandbox(question)))
          assert.include(error?.message ?? "", "PostgreSQL did not answer within 30 ms")
          proxy.comeBack("rebooted")
        }).pipe(
          Effect.provide(Sql.layer(proxy.url, { applicationName: "carteiro-test", maxConnections: 2 }), {
            local: true
          }),
          Effect.provideService(ReadPatience, 30),
          Effect.provideService(CurrentStart, start),
          Effect.provide(layer)
        )
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "among several servers, for the one that is slow",
    () =>
      Effect.gen(function* () {
        const url = yield* create("template0")
        const proxy = yield* databaseProxy(url)
        const [one, other] = [new URL(proxy.url), yield* databaseProxy(url)]
        other.vanish()
        const { layer, lines } = logged()
        proxy.vanish()
        const both = `postgres://${one.username}:${one.password}@${one.host},${new URL(other.url).host}${one.pathname}`
        const database = { url: both, shownUrl: both, log: undefined, lost: Effect.never }
        const starting = yield* Effect.forkChild(
          withDatabase(database, question).pipe(Effect.provideService(CurrentStart, patient()), Effect.provide(layer))
        )
        yield* until(Effect.sync(() => lines.some((line) => waits.test(line))))
        proxy.comeBack("resumed")
        assert.strictEqual((yield* Fiber.join(starting))?.n, 1)
      }).pipe(Effect.scoped),
    240_000
  )
})

describe("a start that has waited long enough", () => {
  it.live("says what to look at", () =>
    Effect.gen(function* () {
      const proxy = yield* databaseProxy(yield* create("template0"))
      proxy.vanish()
      const { host } = new URL(proxy.url)
      assert.strictEqual(
        yield* refusal(proxy.url, new StartPatience(300, 100)),
        `DATABASE_URL: PostgreSQL at ${host} is too slow or cannot be reached: PostgreSQL did not answer within 300 ms; look at the load of its machine and at the network between, and start again`
      )
    }).pipe(Effect.scoped)
  )

  it.live(
    "does not wait for what a person has to correct",
    () =>
      Effect.gen(function* () {
        const url = yield* create("template0")
        const start = new StartPatience(3_600_000)
        assert.include(
          yield* refusal(Object.assign(new URL(url), { password: "wrong" }).href, start),
          "password authentication failed"
        )
        assert.include(
          yield* refusal(Object.assign(new URL(url), { pathname: "/gone" }).href, start),
          "has no database"
        )
        const { host, password, pathname, username } = new URL(url)
        const silent = yield* databaseProxy(url)
        silent.vanish()
        const both = `postgres://${username}:${password}x@${host},${new URL(silent.url).host}${pathname}`
        assert.include(yield* refusal(both, start), "password authentication failed", "beside a silent server")
      }).pipe(Effect.scoped),
    240_000
  )
})
