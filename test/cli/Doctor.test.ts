import { rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { cardprocFindings } from "@carteiro/runtime/cli/doctor/CardprocFindings.ts"
import { sessionFindings } from "@carteiro/runtime/cli/doctor/DatabaseFindings.ts"
import { examine } from "@carteiro/runtime/cli/doctor/Examination.ts"
import { lockWaits, openTransactions } from "@carteiro/runtime/cli/doctor/InstallationRepo.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { assert, describe, it } from "@effect/vitest"
import { Clock, ConfigProvider, Deferred, Effect, Fiber, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { selfSigned } from "../../packages/outbound/test/Certificates.ts"
import { runProgram } from "../support/Program.ts"
import { dataFolder } from "../support/RunFolder.ts"
import { startedNode } from "../support/StartedNode.ts"
import { create, TestDatabase } from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

type Env = Readonly<Record<string, string>>

const folder = Effect.acquireRelease(
  Effect.sync(() => dataFolder("carteiro-doctor-")),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** What the doctor finds with these settings over the database of the test. */
const look = Effect.fnUntraced(function* (env: Env = {}) {
  const { url } = yield* TestDatabase
  const all = { DATABASE_URL: url, CARTEIRO_DATA_DIR: tmpdir(), ...env }
  const provider = ConfigProvider.fromEnv({ env: all, preserveEmptyStrings: true })
  return yield* Effect.provide(examine, ConfigProvider.layer(provider))
})

/** The findings of one check, as status and sentence. */
const about = (check: string, env: Env = {}) =>
  Effect.map(look(env), (findings) =>
    findings.filter((one) => one.check === check).map(({ found, status }) => `${status}: ${found}`)
  )

describe("carteiro-operator doctor", () => {
  it.live(
    "finds a healthy installation, and ends with 0; without its node it ends with 1 and says what to do",
    () =>
      Effect.gen(function* () {
        const env = { CARTEIRO_DATA_DIR: yield* folder, PORT: "0" }
        const node = yield* startedNode(env)
        const well = yield* runProgram("cli/main.ts", env, "doctor", "--json")
        const { findings, status } = JSON.parse(well.stdout)
        assert.deepStrictEqual(
          findings.filter((one: { readonly status: string }) => one.status !== "ok"),
          []
        )
        assert.deepStrictEqual([well.code, well.stderr, status], [0, "", "well"])
        node.signal("SIGTERM")
        yield* node.exited
        const left = yield* runProgram("cli/main.ts", env, "doctor")
        assert.deepStrictEqual([left.code, left.stderr], [1, "The doctor found 1 thing wrong.\n"])
        assert.match(left.stdout, /^WRONG +runners +No node with shards runs.*\n +Do: Start nodes/m)
      }),
    240_000
  )

  it.live(
    "never prints a secret, whatever is wrong",
    () =>
      Effect.gen(function* () {
        const secret = "5ecre7"
        const nowhere = `http://127.0.0.1:1/${secret}`
        const vendors = [
          "UPSTREAM_API",
          "NUMPROV_API",
          "PIXPROV1_API",
          "PIXPROV2_API",
          "CARDPROC_API",
          "SPEECHPROV1_API"
        ]
        const env = {
          CARTEIRO_DATA_DIR: yield* folder,
          DATABASE_URL: `postgres://user:${secret}@127.0.0.1:1/carteiro`,
          CARTEIRO_SMTP_URL: `smtp://user:${secret}@127.0.0.1:1`,
          CARTEIRO_MAIL_FROM: "a@b.test",
          CARTEIRO_BLOB_STORE: "s3",
          CARTEIRO_BLOB_S3_ENDPOINT: "http://127.0.0.1:1",
          CARTEIRO_BLOB_S3_BUCKET: "files",
          CARTEIRO_BLOB_S3_ACCESS_KEY: secret,
          CARTEIRO_BLOB_S3_SECRET_KEY: secret,
          CARTEIRO_UPSTREAM_APP_SECRET: secret,
          ...Object.fromEntries(vendors.map((name) => [`CARTEIRO_${name}_BASE_URL`, nowhere]))
        }
        for (const words of [["doctor"], ["doctor", "--json"]]) {
          const { code, stderr, stdout } = yield* runProgram("cli/main.ts", env, ...words)
          assert.strictEqual(code, 1)
          assert.notInclude(stdout + stderr, secret)
          assert.include(stdout, "no PostgreSQL answers")
        }
        for (const [name, value] of [
          ["CARTEIRO_MASTER_KEY", secret],
          ["CARTEIRO_UPSTREAM_API_BASE_URL", `https://user:${secret}@api.example.com`]
        ] as const) {
          const wrong = yield* runProgram("cli/main.ts", { [name]: value }, "doctor")
          assert.match(wrong.stdout, new RegExp(`^WRONG +settings +${name}: expected`))
          assert.notInclude(wrong.stdout + wrong.stderr, secret)
        }
      }),
    240_000
  )
})

it.layer(TestDatabase.layer, { excludeTestServices: true })("the doctor over a database", (it) => {
  it.effect("finds missing and invalid indexes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.match((yield* about("indexes"))[0] ?? "", /^ok: All \d+ indexes are there and valid\.$/)
      yield* sql`create table doubled as select 1 as n from generate_series(1, 2)`
      yield* Effect.exit(sql`create unique index concurrently doubled_n on doubled (n)`.unprepared)
      yield* sql`drop index emails_due`
      assert.deepStrictEqual(yield* about("indexes"), [
        "wrong: The index doubled_n is not valid: PostgreSQL does not use it.",
        "wrong: The index emails_due is missing: what it serves gets slower with every row."
      ])
      yield* sql`drop table doubled`
      const remedy = (yield* look()).find(({ found }) => found.includes("emails_due"))?.remedy ?? ""
      assert.match(remedy, /^create index emails_due on emails .*;$/)
      yield* sql.unsafe(remedy)
      assert.match((yield* about("indexes"))[0] ?? "", /^ok/, "the remedy mends it")
    })
  )

  it.effect("finds work of any kind that has been due for long, and distinguishes five minutes from an hour", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const now = yield* Clock.currentTimeMillis
      const mail = (minutes: number) => {
        const due = instant(now - minutes * 60_000)
        return sql`insert into emails (organization_id, id, kind, subject_id, subject, body, due_at, created_at)
          values ('org_late', ${`eml_${minutes}`}, 'test', ${String(minutes)}, 's', 'b', ${due}, ${due})`
      }
      yield* mail(1)
      assert.match((yield* about("due work")).join(), /^ok: No work of \d+ kinds/)
      yield* mail(10)
      assert.match((yield* about("due work")).join(), /^attention: Work of \w+ org_late .* more than 5 minutes/)
      yield* mail(90)
      assert.match((yield* about("due work")).join(), /^wrong: Work of \w+ org_late .* more than 60 minutes/)
      yield* sql`delete from emails`
    })
  )

  it.effect("finds dead rows that are not removed, and a table without autovacuum", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table left_over (n int4) with (autovacuum_enabled = false)`
      const died = sql`insert into left_over select * from generate_series(1, 100001)`.pipe(
        Effect.andThen(sql`delete from left_over`),
        // The session would tell its statistics within ten seconds.
        Effect.andThen(sql`select pg_stat_force_next_flush()::text as told`)
      )
      yield* sql.withTransaction(died)
      const counted = sql`select from pg_stat_user_tables where relname = 'left_over' and n_dead_tup > 0`
      yield* until(Effect.map(counted, (rows) => rows.length > 0))
      const bloat = yield* about("bloat")
      assert.deepStrictEqual(bloat, [
        "attention: The table left_over holds 100001 dead rows beside 0 that live.",
        "wrong: autovacuum leaves out left_over."
      ])
      yield* sql`drop table left_over`
    })
  )

  it.effect("finds the session that holds up another, and long transactions", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`create table held as select 1 as n`
      const holds = yield* Deferred.make<void>()
      const goOn = yield* Deferred.make<void>()
      const holder = yield* Effect.forkChild(
        sql`update held set n = 2`.pipe(
          Effect.andThen(Deferred.succeed(holds, undefined)),
          Effect.andThen(Deferred.await(goOn)),
          sql.withTransaction
        )
      )
      yield* Deferred.await(holds)
      const waiter = yield* Effect.forkChild(sql`update held set n = 3`)
      const later = (yield* Clock.currentTimeMillis) + 3_600_000
      const waits = lockWaits(later, later)
      yield* until(Effect.map(waits, (found) => found.length > 0))
      const found = sessionFindings(yield* openTransactions(later, later - 600_000), yield* waits)
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(holder)
      yield* Fiber.join(waiter)
      assert.match(
        found.map((one) => `${one.status}: ${one.found} ${one.remedy}`).join("\n"),
        /attention: Session \d+ \(carteiro-test, [a-z ]+\) has a transaction open for 60 minutes[\s\S]*wrong: carteiro-test has waited for 60 minutes for a lock that session (\d+) [\s\S]*pg_terminate_backend\(\1\)/
      )
      assert.deepStrictEqual(yield* about("sessions"), ["ok: No session holds up others."])
    })
  )

  it.effect("finds shards without a node", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.match((yield* about("runners")).join(), /^wrong: No node with shards runs/)
      yield* Effect.scoped(
        Effect.gen(function* () {
          const session = yield* sql.reserve
          yield* session.executeRaw("select pg_advisory_lock(7, n) from generate_series(1, 100) n", [])
          yield* session.executeRaw(
            `insert into runner_sessions (address, pid, started_at)
               select 'shard-1:34431', pid, backend_start from pg_stat_activity where pid = pg_backend_pid()`,
            []
          )
          assert.match((yield* about("runners")).join(), /^wrong: 28 of 128 shards have no node/)
          yield* session.executeRaw("select pg_advisory_lock(7, n) from generate_series(101, 128) n", [])
          assert.deepStrictEqual(yield* about("runners"), ["ok: All 128 shards have a node: shard-1:34431 (128)."])
          yield* session.executeRaw("select pg_advisory_unlock_all()", [])
        })
      )
      yield* sql`delete from runner_sessions`
    })
  )

  it.effect("finds a clock that differs from the database's", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const off: Clock.Clock = Object.assign(Object.create(clock), {
        currentTimeMillis: Effect.map(clock.currentTimeMillis, (millis) => millis - 2000)
      })
      assert.match((yield* about("clock")).join(), /^ok: The clock of this machine is \d+ ms/)
      const found = yield* Effect.provideService(about("clock"), Clock.Clock, off)
      assert.match(found.join(), /^wrong: The clock of this machine is (19|20)\d\d ms behind the database's/)
    })
  )

  it.effect("finds vendors and a bucket that do not answer, and takes any status for an answer", () =>
    Effect.gen(function* () {
      const vendor = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const server = createServer((_, response) => response.writeHead(404).end())
          server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => void server.close())
      )
      const { port } = vendor.address() as AddressInfo
      const answers = { CARTEIRO_UPSTREAM_API_BASE_URL: `http://127.0.0.1:${port}/graph` }
      assert.deepStrictEqual(yield* about("vendors", answers), [`ok: All vendors answer: 127.0.0.1:${port}.`])
      const silent = { ...answers, CARTEIRO_NUMPROV_API_BASE_URL: "http://127.0.0.1:1/v1" }
      assert.deepStrictEqual(yield* about("vendors", silent), [
        "wrong: Nothing answers at 127.0.0.1:1 (CARTEIRO_NUMPROV_API_BASE_URL): what goes there waits."
      ])
      const bucket = {
        CARTEIRO_BLOB_STORE: "s3",
        CARTEIRO_BLOB_S3_ENDPOINT: "http://127.0.0.1:1",
        CARTEIRO_BLOB_S3_BUCKET: "files",
        CARTEIRO_BLOB_S3_ACCESS_KEY: "a",
        CARTEIRO_BLOB_S3_SECRET_KEY: "b"
      }
      assert.deepStrictEqual(yield* about("files", bucket), [
        "wrong: The bucket files does not answer: 127.0.0.1:1: ECONNREFUSED. Media wait."
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("proves the card processor's key by one read, by whichever driver", () =>
    Effect.gen(function* () {
      const read: Array<string | undefined> = []
      let status = 200
      const vendor = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const server = createServer(({ headers, method, url }, response) => {
            if (headers.authorization !== undefined) read.push(`${method} ${url}`)
            response.writeHead(status, { "content-type": "application/json" })
            response.end(JSON.stringify(status === 200 ? { data: [] } : { error: { code: "no" } }))
          })
          server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => void server.close())
      )
      const { port } = vendor.address() as AddressInfo
      for (const driver of ["stripe", "bridge"]) {
        const env = {
          CARTEIRO_CARDPROC_DRIVER: driver,
          CARTEIRO_CARDPROC_API_BASE_URL: `http://127.0.0.1:${port}`,
          CARTEIRO_CARDPROC_API_KEY: "sk_test_1"
        }
        const told: Array<string> = []
        for (status of [200, 401, 500]) told.push((yield* about("credentials", env)).join())
        assert.deepStrictEqual(told, [
          "ok: CARTEIRO_CARDPROC_API_KEY is accepted by the card processor.",
          "wrong: CARTEIRO_CARDPROC_API_KEY is refused by the card processor: nothing can be charged.",
          "attention: Whether CARTEIRO_CARDPROC_API_KEY is accepted is unknown: the card processor gave no usable answer."
        ])
      }
      const [stripe, bridge] = ["GET /v1/payment_intents?limit=1", "GET /v1/payment_intents?external_id=credential"]
      assert.deepStrictEqual(read, [stripe, stripe, stripe, bridge, bridge, bridge])
    }).pipe(Effect.scoped)
  )

  it("finds what is wrong between the card processor's address, key and driver", () => {
    const found = (more: Partial<Parameters<typeof cardprocFindings>[0]>) =>
      cardprocFindings({
        mode: "production",
        cardprocDriver: "stripe",
        cardprocApiBaseUrl: "https://api.stripe.com",
        cardprocApiKey: Redacted.make("sk_live_1"),
        ...more
      }).map(({ found, status }) => `${status}: ${found}`)
    assert.deepStrictEqual(found({}), [])
    assert.match(found({ cardprocApiKey: Redacted.make("rk_test_1") }).join(), /^attention: .* of the test mode/)
    assert.match(found({ cardprocApiKey: Redacted.make("pk_live_1") }).join(), /^wrong: .* is a publishable key/)
    assert.match(found({ cardprocApiBaseUrl: "https://api.stripe.com/v1" }).join(), /^wrong: .* has a path/)
    assert.match(found({ cardprocDriver: "bridge" }).join(), /^wrong: .* is bridge: every call is refused/)
    assert.match(found({ cardprocApiBaseUrl: undefined }).join(), /^wrong: .* is not: no card can be charged/)
    assert.deepStrictEqual(found({ cardprocDriver: "bridge", cardprocApiBaseUrl: "https://cards.example/v1" }), [])
  })

  it.effect("finds missing settings and the end of the certificate", () =>
    Effect.gen(function* () {
      const half = { CARTEIRO_UPSTREAM_API_BASE_URL: "http://127.0.0.1:1" }
      assert.match((yield* about("settings", half)).join("\n"), /^wrong: CARTEIRO_UPSTREAM_APP_SECRET is not set/m)
      const production = {
        CARTEIRO_MODE: "production",
        CARTEIRO_PUBLIC_URL: "https://api.example.com",
        CARTEIRO_MASTER_KEY: "07".repeat(32),
        CARTEIRO_SMTP_URL: "smtp://127.0.0.1:9",
        CARTEIRO_MAIL_FROM: "billing@example.com"
      }
      const found = yield* about("settings", production)
      assert.match(found.join("\n"), /CARTEIRO_TRUSTED_PROXIES names none[\s\S]*CARTEIRO_ADMIN_PORT is 0/)
      const path = yield* folder
      const { cert, key } = selfSigned("localhost", 2001)
      writeFileSync(join(path, "node.pem"), cert)
      writeFileSync(join(path, "node.key"), key)
      const tls = {
        CARTEIRO_RUNNER_HOST: "localhost",
        CARTEIRO_RUNNER_TLS_CERT: join(path, "node.pem"),
        CARTEIRO_RUNNER_TLS_KEY: join(path, "node.key"),
        CARTEIRO_RUNNER_TLS_CA: join(path, "node.pem")
      }
      assert.match((yield* about("certificates", tls)).join("\n"), /^wrong: The certificate of this node ended/)
    }).pipe(Effect.scoped)
  )

  it.effect("finds a schema that is behind, and changes nothing", () =>
    Effect.gen(function* () {
      const url = yield* create("template0")
      const findings = yield* Effect.provide(look(), TestDatabase.at(url), { local: true })
      const [schema] = findings.filter(({ check }) => check === "schema")
      assert.match(schema?.found ?? "", /^(\d+) of \1 migrations have not run/)
      assert.deepStrictEqual(
        findings
          .filter(({ status }) => status === "unknown")
          .map(({ check }) => check)
          .slice(0, 3),
        ["indexes", "runners", "activity"]
      )
      const tables = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`select from pg_tables where schemaname = 'public'`
      )
      assert.isEmpty(yield* Effect.provide(tables, TestDatabase.at(url), { local: true }))
    }).pipe(Effect.scoped)
  )
})
