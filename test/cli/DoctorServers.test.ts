import { tmpdir } from "node:os"
import { examine } from "@carteiro/runtime/cli/doctor/Examination.ts"
import type { StandingFacts } from "@carteiro/runtime/cli/doctor/InstallationRepo.ts"
import { type NamedServer, namedServerFindings } from "@carteiro/runtime/cli/doctor/ServerFindings.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { queried, replicated } from "../support/Standby.ts"
import { until } from "../support/Until.ts"

const primary: StandingFacts = {
  system: "7",
  timeline: 3,
  is_synchronous: true,
  position: 1_000_000_000,
  refusals: 0,
  replayed_ms_ago: null
}
const standby: StandingFacts = { ...primary, timeline: null, is_synchronous: false, replayed_ms_ago: 4000 }
const found = (...servers: ReadonlyArray<NamedServer>) =>
  namedServerFindings(servers).map(({ found, status }) => `${status}: ${found}`)

describe("the doctor on the servers of DATABASE_URL", () => {
  it("names the primary, and how far each standby is behind", () => {
    const late = { ...standby, position: primary.position - 100_000_000 }
    assert.deepStrictEqual(
      found({ host: "a", stands: standby }, { host: "b", stands: primary }, { host: "c", stands: late }),
      [
        "ok: a is a standby, 0 bytes of the log behind b.",
        "ok: b is the primary, on timeline 3; its commits wait for a standby.",
        "attention: c is a standby, 95.4 MB of the log behind b; its last transaction is 4 seconds old."
      ]
    )
  })

  it("tells of a primary without a synchronous standby, of old primaries and of other data", () => {
    const old = { ...primary, timeline: 2 }
    assert.deepStrictEqual(
      found(
        { host: "a", stands: old },
        { host: "b", stands: { ...primary, is_synchronous: false } },
        { host: "c", stands: { ...standby, system: "8" } }
      ),
      [
        "wrong: a takes writes on timeline 2 beside b: it is an old primary, which no node uses.",
        "attention: b is the primary, on timeline 3; no commit waits for a standby, so a failover can lose what was answered last.",
        "wrong: c holds other data than b."
      ]
    )
  })

  it("names a promoted primary that the nodes which run refuse, and what to do", () => {
    const [finding] = namedServerFindings([{ host: "a", stands: { ...primary, refusals: 2 } }])
    assert.match(finding?.found ?? "", /^a takes writes on timeline 3, and nodes that run refuse it: it was promoted, /)
    assert.include(finding?.remedy ?? "", "restore accept --promoted")
    assert.strictEqual(finding?.status, "wrong")
  })

  it("tells of a server that cannot be reached, which is wrong only when no other one takes writes", () => {
    assert.deepStrictEqual(found({ host: "a", stands: "ECONNREFUSED" }, { host: "b", stands: primary }), [
      "attention: a cannot be looked at: ECONNREFUSED.",
      "ok: b is the primary, on timeline 3; its commits wait for a standby."
    ])
    assert.deepStrictEqual(found({ host: "a", stands: "ECONNREFUSED" }, { host: "b", stands: standby }), [
      "wrong: a cannot be looked at: ECONNREFUSED.",
      "wrong: b is a standby, and no server takes writes."
    ])
  })

  it.live("looks at each of them over a connection of its own", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const servers = yield* replicated
        const [first, second] = [new URL(servers.primary), new URL(servers.standby)]
        const look = (hosts: string) => {
          const url = `postgres://${first.username}:${first.password}@${hosts}${first.pathname}`
          const env = { DATABASE_URL: url, CARTEIRO_DATA_DIR: tmpdir() }
          const provider = ConfigProvider.layer(ConfigProvider.fromEnv({ env }))
          return Effect.map(Effect.provide(examine, provider), (findings) =>
            findings.filter(({ check }) => check === "servers").map(({ found, status }) => `${status}: ${found}`)
          )
        }
        const told = yield* look(`${second.host},${first.host},127.0.0.1:1`)
        assert.match(told[0] ?? "", new RegExp(`^ok: ${second.host} is a standby, .* of the log behind ${first.host}`))
        assert.match(told[1] ?? "", new RegExp(`^attention: ${first.host} is the primary, on timeline 1; no commit`))
        assert.match(told[2] ?? "", /^attention: 127\.0\.0\.1:1 cannot be looked at: .*ECONNREFUSED/)
        assert.deepStrictEqual(yield* look(first.host), [], "one server has no others to compare with")

        // A promoted standby begins a timeline: the old primary beside it must not run. A node that runs refuses it, since
        // no commit of before waited for it.
        const hosts = `${first.host},${second.host}`
        const url = `postgres://${first.username}:${first.password}@${hosts}${first.pathname}`
        yield* Effect.scoped(
          Effect.gen(function* () {
            const node = yield* Layer.build(
              Sql.layer(url, { applicationName: "carteiro-test-doctor", maxConnections: 1 })
            )
            yield* Context.get(node, SqlClient.SqlClient)`select 1`
            // From its second look on it knows that no commit waits.
            const since = yield* queried(
              servers.primary,
              (sql) => sql<{ readonly at: string }>`select clock_timestamp()::text as at`
            )
            const looked = queried(
              servers.primary,
              (sql) => sql`select from pg_stat_activity where application_name = 'carteiro-test-doctor-watch'
                and query_start > ${since[0]?.at ?? ""}::timestamptz and state = 'idle'`
            )
            yield* until(Effect.map(looked, (rows) => rows.length > 0))
            yield* queried(servers.standby, (sql) => sql`select pg_promote()`)
            yield* until(
              Effect.map(look(hosts), ([old, next]) =>
                Boolean(old?.startsWith("wrong") && next?.includes("on timeline 2, and nodes that run refuse it"))
              )
            )
          })
        )
        yield* until(Effect.map(look(hosts), ([, next]) => Boolean(next?.includes("is the primary, on timeline 2"))))
      })
    )
  )
})
