import { readSettings } from "@carteiro/runtime/boot/Settings.ts"
import { certificateFindings } from "@carteiro/runtime/cli/doctor/CertificateFindings.ts"
import { clockFindings, runnerFindings } from "@carteiro/runtime/cli/doctor/ClusterFindings.ts"
import { serverFindings, slotFindings } from "@carteiro/runtime/cli/doctor/DatabaseFindings.ts"
import { diskFinding } from "@carteiro/runtime/cli/doctor/DiskFindings.ts"
import { indexesOf } from "@carteiro/runtime/cli/doctor/ExpectedIndexes.ts"
import { type Judgement, size, span } from "@carteiro/runtime/cli/doctor/Finding.ts"
import type { ServerFacts } from "@carteiro/runtime/cli/doctor/InstallationRepo.ts"
import { schemaFindings } from "@carteiro/runtime/cli/doctor/SchemaFindings.ts"
import { settingsFindings } from "@carteiro/runtime/cli/doctor/SettingsFindings.ts"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { selfSigned } from "../../packages/outbound/test/Certificates.ts"

const statuses = (found: ReadonlyArray<Judgement>) => found.map(({ status }) => status)
const told = (found: ReadonlyArray<Judgement>) => found.map(({ found }) => found).join("\n")

const day = 86_400_000
const healthy: ServerFacts = {
  version: "16.4",
  version_number: 160_004,
  is_standby: false,
  fsync: true,
  full_page_writes: true,
  synchronous_commit: "on",
  autovacuum: true,
  max_connections: 100,
  connections: 20,
  xid_age: 1_000_000,
  database_bytes: 1_048_576,
  data_directory: null,
  is_local: false
}

describe("the doctor on a server", () => {
  it("finds nothing wrong at a well set up installation", () => {
    assert.deepStrictEqual(statuses(serverFindings(healthy)), ["ok"])
  })

  it.each<readonly [Partial<ServerFacts>, Judgement["status"], RegExp]>([
    [{ version: "14.9", version_number: 140_009 }, "wrong", /14\.9 is too old/],
    [{ is_standby: true }, "wrong", /a standby, which takes no writes/],
    [{ fsync: false }, "wrong", /fsync is off/],
    [{ full_page_writes: false }, "wrong", /full_page_writes is off/],
    [{ synchronous_commit: "off" }, "wrong", /synchronous_commit is off/],
    [{ connections: 95 }, "attention", /95 of 100 connections/],
    [{ xid_age: 700_000_000 }, "attention", /700 million transactions/],
    [{ xid_age: 1_900_000_000 }, "wrong", /1900 million transactions/]
  ])("tells of %j alone, and what to do", (facts, status, sentence) => {
    const [found, ...others] = serverFindings({ ...healthy, ...facts })
    assert.strictEqual(found?.status, status)
    assert.match(found?.found ?? "", sentence)
    assert.isNotEmpty(found?.remedy)
    assert.isEmpty(others)
  })

  it("reports a replication slot without a reader when it keeps a gigabyte", () => {
    const kept = (bytes: number) => statuses(slotFindings([{ name: "standby", kept_bytes: bytes }]))
    assert.deepStrictEqual([kept(1000), kept(2 ** 31), statuses(slotFindings([]))], [["ok"], ["wrong"], []])
  })
})

describe("the doctor on a schema", () => {
  const one = (name: string, state: "applied" | "pending" | "changed" | "newer") => ({ name, state, applied_at: null })

  it("distinguishes pending, changed and newer migrations", () => {
    assert.deepStrictEqual(statuses(schemaFindings([one("0001_a.sql", "applied")])), ["ok"])
    assert.match(told(schemaFindings([one("0002_b.sql", "pending")])), /1 of 1 migrations have not run: 0002_b/)
    assert.match(told(schemaFindings([one("0003_c.sql", "changed")])), /0003_c\.sql is not the one that ran/)
    assert.match(told(schemaFindings([one("0004_d.sql", "newer")])), /ahead of this release: 0004_d/)
  })

  it("expects the indexes of the migrations, without those that were dropped with their table or column", () => {
    const left = indexesOf([
      "create table a (x int, y int, z int); create index a_x on a (x);\ncreate unique index a_y on a\n  (y);",
      "create index a_z on a (z); -- create index a_never on a (x);\ncreate index b_x on b (x); create index c_x on c (x);",
      "drop index a_x; drop table b; alter table c add column y int, drop column x;"
    ])
    assert.deepStrictEqual(
      [...left],
      [
        ["a_y", "create unique index a_y on a (y)"],
        ["a_z", "create index a_z on a (z)"]
      ]
    )
  })
})

describe("the doctor on a cluster", () => {
  const runner = (address: string, shards: number, isAlive = true) => ({ address, shards, is_alive: isAlive })

  it("counts the shards of live runners", () => {
    assert.deepStrictEqual(statuses(runnerFindings([runner("a", 64), runner("b", 64)], 128)), ["ok"])
    assert.match(told(runnerFindings([runner("a", 64), runner("b", 64, false)], 128)), /64 of 128 shards have no node/)
    assert.match(told(runnerFindings([runner("a", 128), runner("b", 0)], 128)), /^The runner b holds no shard\.$/)
    assert.match(told(runnerFindings([runner("a", 128, false)], 128)), /^No node with shards runs/)
  })

  it("allows a clock 250 ms and the inexactness of the measurement", () => {
    const look = (aheadMillis: number, uncertaintyMillis: number) =>
      clockFindings({ aheadMillis, uncertaintyMillis, toleranceMillis: 250 }).status
    assert.deepStrictEqual(
      [look(-200, 1), look(300, 60), look(-400, 2), look(0, 400)],
      ["ok", "ok", "wrong", "unknown"]
    )
  })
})

describe("the doctor on certificates", () => {
  const { cert, key } = selfSigned("localhost", 2030)
  const end = Date.UTC(2030, 0, 1)
  const look = (now: number, more: object = {}) =>
    certificateFindings({ cert, key, ca: cert, host: "localhost", ...more }, now)

  it("reports a certificate in good time, within a month, within a week, and after its end", () => {
    assert.deepStrictEqual(
      [100, 20, 3, -1].map((days) => new Set(statuses(look(end - days * day)))),
      [new Set(["ok"]), new Set(["attention"]), new Set(["wrong"]), new Set(["wrong"])]
    )
    assert.match(told(look(end - 20 * day)), /certificate of this node ends in 20 days/)
  })

  it("finds a key of another pair, another authority, another address and a file of another kind", () => {
    const other = selfSigned("localhost")
    const now = end - 100 * day
    assert.match(told(look(now, { key: other.key })), /is not the certificate's/)
    assert.match(told(look(now, { ca: other.cert })), /did not sign/)
    assert.match(told(look(now, { host: "10.0.0.11" })), /does not name 10\.0\.0\.11/)
    // While one authority follows another, the file names both.
    const both = `${other.cert}\n${cert}`
    assert.deepStrictEqual(new Set(statuses(look(now, { ca: both }))), new Set(["ok"]))
    assert.match(told(look(now, { cert: "hello" })), /CARTEIRO_RUNNER_TLS_CERT holds no PEM/)
    assert.deepStrictEqual(new Set(statuses(look(now, { host: undefined }))), new Set(["ok"]))
  })
})

it("reports a disk below 15% as attention, and below 5% as wrong", () => {
  const left = (free: number) => diskFinding("the database", { free, total: 100 }).status
  assert.deepStrictEqual([left(50), left(10), left(4)], ["ok", "attention", "wrong"])
})

it("shows sizes and times in readable units", () => {
  assert.deepStrictEqual([0, 1536, 13_421_772_800].map(size), ["0 bytes", "1.5 KB", "12.5 GB"])
  assert.deepStrictEqual([3000, 300_000, 7_200_000, 30 * day].map(span), [
    "3 seconds",
    "5 minutes",
    "2 hours",
    "30 days"
  ])
})

describe("the doctor on the chat platform's settings", () => {
  const look = (change: object) =>
    Effect.gen(function* () {
      const env = {
        CARTEIRO_UPSTREAM_API_BASE_URL: "https://graph.facebook.com",
        CARTEIRO_UPSTREAM_APP_ID: "1",
        CARTEIRO_UPSTREAM_APP_SECRET: "a",
        CARTEIRO_UPSTREAM_WEBHOOK_VERIFY_TOKEN: "b",
        ...change
      }
      const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
      const settings = yield* Effect.provide(readSettings, ConfigProvider.layer(ConfigProvider.fromEnv({ env: given })))
      return settingsFindings(settings).filter(({ status }) => status === "wrong")
    })

  it.effect("finds nothing wrong where they are complete U-CON-01 U-SND-01", () =>
    Effect.map(look({}), (found) => assert.deepStrictEqual(found, []))
  )

  for (const [change, sentence] of [
    [{ CARTEIRO_UPSTREAM_APP_ID: undefined }, /APP_ID is not set: no account/],
    [{ CARTEIRO_UPSTREAM_APP_SECRET: undefined }, /APP_SECRET is not set: reports/],
    [{ CARTEIRO_UPSTREAM_WEBHOOK_VERIFY_TOKEN: undefined }, /VERIFY_TOKEN is not set: the chat provider cannot/],
    [{ CARTEIRO_UPSTREAM_API_BASE_URL: undefined }, /APP_SECRET is set and CARTEIRO_UPSTREAM_API_BASE_URL is not/],
    [{ CARTEIRO_UPSTREAM_MESSAGING_PRODUCT: "chatapp" }, /MESSAGING_PRODUCT is chatapp: .* refuses every send/],
    [{ CARTEIRO_UPSTREAM_API_BASE_URL: "https://graph.facebook.com/v23.0" }, /ends in a version \(\/v23\.0\)/],
    [
      {
        CARTEIRO_UPSTREAM_API_BASE_URL: "https://www.facebook.com",
        CARTEIRO_MODE: "production",
        DATABASE_URL: "postgres://carteiro@127.0.0.1/carteiro",
        CARTEIRO_PUBLIC_URL: "https://api.example.com",
        CARTEIRO_MASTER_KEY: "07".repeat(32),
        CARTEIRO_SMTP_URL: "smtp://127.0.0.1:9",
        CARTEIRO_MAIL_FROM: "billing@example.com"
      },
      /names www\.facebook\.com, which serves pages and no API/
    ]
  ] as const) {
    it.effect(`says what to do: ${sentence.source} U-CON-01`, () =>
      Effect.gen(function* () {
        const [found, ...others] = yield* look(change)
        assert.match(found?.found ?? "", sentence)
        assert.isNotEmpty(found?.remedy)
        assert.isEmpty(others)
      })
    )
  }
})
