import { tmpdir } from "node:os"
import type { Finding } from "@carteiro/runtime/cli/doctor/Finding.ts"
import { examinePlatform } from "@carteiro/runtime/cli/doctor/PlatformExamination.ts"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { runProgram } from "../support/Program.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"
import { account, Upstream, UpstreamProduct, upstreamStage } from "../support/Upstream.ts"

type Env = Readonly<Record<string, string>>

/** The settings of the product under test, as a node of it would have them. */
const settings = Effect.gen(function* () {
  const { baseUrl } = yield* Api
  const { url } = yield* Upstream
  return {
    DATABASE_URL: (yield* TestDatabase).url,
    CARTEIRO_DATA_DIR: tmpdir(),
    CARTEIRO_MASTER_KEY: "07".repeat(32),
    CARTEIRO_PUBLIC_URL: baseUrl,
    CARTEIRO_UPSTREAM_API_BASE_URL: url,
    CARTEIRO_UPSTREAM_APP_ID: "app",
    CARTEIRO_UPSTREAM_APP_SECRET: account.app_secret,
    CARTEIRO_UPSTREAM_WEBHOOK_VERIFY_TOKEN: account.verify_token
  }
})

const secrets = [account.app_secret, account.verify_token, account.token]

/** What `doctor --platform` finds with these settings. */
const look = Effect.fnUntraced(function* (env: Env = {}, only?: string) {
  const provider = ConfigProvider.fromEnv({ env: { ...(yield* settings), ...env }, preserveEmptyStrings: true })
  const findings = yield* Effect.provide(examinePlatform(only), ConfigProvider.layer(provider))
  for (const secret of secrets) assert.notInclude(JSON.stringify(findings), secret)
  return findings
})

const shown = ({ check, found, status }: Finding) => `${status} ${check}: ${found}`
const problems = (findings: ReadonlyArray<Finding>) => findings.filter(({ status }) => status !== "ok")

/** A covered number whose account is subscribed and has approved templates: all is well. */
const wellStage = Effect.gen(function* () {
  const stage = yield* upstreamStage
  const { world } = stage.simulator
  world.subscriptions.set(account.biz_account_id, null)
  // The product's own check of the connection is over, and the next one is hours away.
  const checked = stage.sql`select 1 from provider_connections where environment_id = ${stage.number.environment_id}
    and status = 'connected' and health_due_at > now() + interval '1 hour'`
  yield* until(Effect.map(checked, (rows) => rows.length === 1))
  const number = world.numbers.get(account.phone_number_id)
  if (number === undefined) throw new Error("the stage has a number")
  Object.assign(number, { messaging_limit_tier: "TIER_2K", quality_rating: "GREEN", platform_type: "CLOUD_API" })
  return { ...stage, world, platformNumber: number }
})

/** Findings that are not well, while something is wrong; the number is mended again after it. */
const whileWrong = <A>(provoke: () => A, mend: (before: A) => unknown, env: Env = {}) =>
  Effect.map(
    Effect.acquireUseRelease(
      Effect.sync(provoke),
      () => look(env),
      (before) => Effect.sync(() => mend(before))
    ),
    (findings) => {
      for (const one of problems(findings)) assert.isNotEmpty(one.remedy, one.found)
      return problems(findings).map(shown)
    }
  )

const nothing = () => undefined

it.layer(UpstreamProduct(), { excludeTestServices: true })("doctor --platform", (it) => {
  it.effect("finds a connection that is well, by reads alone, and writes nothing U-CON-02 U-CON-03 U-LIM-01", () =>
    Effect.gen(function* () {
      const { number, simulator, sql, world } = yield* wellStage
      const rows = () =>
        sql`select to_jsonb(c)::text as connection, to_jsonb(n)::text as number from provider_connections c, phone_numbers n
          where n.id = ${number.id} and n.environment_id = c.environment_id and c.status = 'connected'`
      const before = yield* rows()
      world.records = true
      const from = simulator.log.read(0, null).at(-1)?.seq ?? 0
      const findings = yield* look()
      world.records = false
      assert.deepStrictEqual(problems(findings).map(shown), [])
      assert.includeMembers(
        findings.map(({ check }) => check),
        ["app", "webhook", "accounts", "token", "subscription", "account", "templates", "number"]
      )
      const calls = simulator.log.read(from, "call")
      assert.isAtLeast(calls.length, 6)
      assert.deepStrictEqual(new Set(calls.map(({ method }) => method)), new Set(["GET"]))
      assert.deepStrictEqual(yield* rows(), before)
    })
  )

  it.effect("tells each failure of account and number with the platform's number, and what to do", () =>
    Effect.gen(function* () {
      const { platformNumber, simulator, sql, number, world } = yield* wellStage
      const { biz_account_id, phone_number_id, token } = account
      const numberIs = (change: object) =>
        whileWrong(
          () => {
            const before = { ...platformNumber }
            Object.assign(platformNumber, change)
            return before
          },
          (before) => Object.assign(platformNumber, before)
        )
      const refused = (operation: string, value: number) =>
        whileWrong(
          () => simulator.faults.set([{ name: "refuse", operation, value }], undefined),
          () => simulator.faults.set([], undefined)
        )
      const name = /account 2001 \(pcn_\w+\)/.source

      const tokens = new Set([biz_account_id])
      const revoked = yield* whileWrong(
        () => world.tokens.delete(token),
        () => world.tokens.set(token, tokens)
      )
      assert.match(revoked.join("\n"), new RegExp(`^wrong token: .* token of ${name} any more \\(190\\)\\.$`))
      const unsubscribed = yield* whileWrong(
        () => world.subscriptions.delete(biz_account_id),
        () => world.subscriptions.set(biz_account_id, null)
      )
      assert.match(unsubscribed.join("\n"), new RegExp(`^wrong subscription: The app is not subscribed to ${name}`))
      assert.match((yield* refused("subscribed_apps", 200)).join("\n"), /^wrong subscription: .* answers 200 \(/)
      assert.match((yield* refused("subscribed_apps", 80007)).join("\n"), /^unknown subscription: .* answers 80007 \(/)
      assert.match((yield* refused("templates", 10)).join("\n"), /^wrong templates: .* answers 10 \(/)

      const unregistered = yield* numberIs({ platform_type: "NOT_APPLICABLE" })
      assert.match(
        unregistered.join("\n"),
        /^wrong number: The number \+\d+ is not registered \(sends answer 133010\)\.$/
      )
      yield* sql`update phone_numbers set registration_state = 'pin_required' where id = ${number.id}`
      assert.match((yield* numberIs({ platform_type: "NOT_APPLICABLE" })).join("\n"), /another PIN \(133005\)\.$/)
      yield* sql`update phone_numbers set registration_state = null where id = ${number.id}`
      assert.deepStrictEqual(yield* numberIs({ platform_type: "NOT_APPLICABLE", is_on_biz_app: true }), [])
      assert.match(
        (yield* numberIs({ messaging_limit_tier: "TIER_250" })).join("\n"),
        /^attention number: .*\(TIER_250\)/
      )
      assert.match((yield* numberIs({ quality_rating: "RED" })).join("\n"), /^attention number: The quality of/)
      const gone = yield* whileWrong(
        () => world.numbers.delete(phone_number_id),
        () => world.numbers.set(phone_number_id, platformNumber)
      )
      assert.match(gone.join("\n"), /^wrong number: .* answers 100 \(/)

      const blocked = yield* whileWrong(
        () => world.accounts.set(biz_account_id, { send: "BLOCKED", codes: [141006], review: "PENDING" }),
        () => world.accounts.delete(biz_account_id)
      )
      assert.match(blocked.join("\n"), /^wrong account: .* send nothing \(141006\)\.\nattention account: .* PENDING\.$/)
      const templates = [...world.templates]
      const none = yield* whileWrong(
        () => world.templates.clear(),
        () => {
          for (const [id, template] of templates) world.templates.set(id, template)
        }
      )
      assert.match(none.join("\n"), /^attention templates: No template/)
      yield* sql`update phone_numbers set status = 'disconnected' where id = ${number.id}`
      assert.match(
        problems(yield* look())
          .map(shown)
          .join(),
        /^attention number: No active number here/
      )
      yield* sql`update phone_numbers set status = 'active' where id = ${number.id}`
    })
  )

  it.effect("tells wrong settings: secret, verify token, public address, master key", () =>
    Effect.gen(function* () {
      const { simulator } = yield* wellStage
      const told = (env: Env) => whileWrong(nothing, nothing, env)
      const secret = yield* told({ CARTEIRO_UPSTREAM_APP_SECRET: "another" })
      assert.match(secret.join("\n"), /^wrong app: The app app cannot be read: the platform answers 190 \(/m)
      const token = yield* told({ CARTEIRO_UPSTREAM_WEBHOOK_VERIFY_TOKEN: "another" })
      assert.match(token.join("\n"), /^wrong webhook: .*\/webhooks\/upstream refuses the verify token \(403\)\.$/)
      const silent = yield* told({ CARTEIRO_PUBLIC_URL: "http://127.0.0.1:1" })
      assert.match(silent.join("\n"), /^wrong webhook: Nothing answers at http:\/\/127\.0\.0\.1:1\/webhooks\/upstream/)
      const other = yield* told({ CARTEIRO_PUBLIC_URL: simulator.url })
      assert.match(other.join("\n"), /^wrong webhook: .* answers \d+ in place of the challenge/)
      const keys = yield* told({ CARTEIRO_MASTER_KEY: "08".repeat(32) })
      assert.match(keys.join("\n"), /^wrong token: The credential of account 2001 .* this master key\.$/)
      const away = yield* told({ CARTEIRO_UPSTREAM_API_BASE_URL: "http://127.0.0.1:1" })
      assert.match(away.join("\n"), /^wrong app: .* gave no usable answer\.\nwrong token: .* gave no usable answer\.$/)
      const half = { ...(yield* settings), CARTEIRO_UPSTREAM_APP_ID: undefined } as unknown as Env
      const provider = ConfigProvider.fromEnv({
        env: Object.fromEntries(Object.entries(half).filter(([, value]) => value !== undefined))
      })
      const missing = yield* Effect.provide(examinePlatform(), ConfigProvider.layer(provider))
      assert.match(missing.map(shown).join("\n"), /^wrong settings: CARTEIRO_UPSTREAM_APP_ID is not set/)
    })
  )

  it.effect("looks at one account alone when it is named, and says when no environment has it", () =>
    Effect.gen(function* () {
      yield* wellStage
      const one = yield* look({}, account.biz_account_id)
      assert.include(one.map(shown).join("\n"), "ok accounts: 1 connection was looked at.")
      const none = problems(yield* look({}, "4711")).map(shown)
      assert.deepStrictEqual(none, ["wrong accounts: No production environment has connected the account 4711."])
    })
  )

  it.effect("ends with 0 when all is well, with 1 when something is wrong, and prints no secret", () =>
    Effect.gen(function* () {
      const { world } = yield* wellStage
      const env = yield* settings
      const well = yield* runProgram("cli/main.ts", env, "doctor", "--platform", "--json")
      assert.deepStrictEqual([well.code, well.stderr, JSON.parse(well.stdout).status], [0, "", "well"], well.stdout)
      world.subscriptions.delete(account.biz_account_id)
      const wrong = yield* runProgram("cli/main.ts", env, "doctor", "--account", account.biz_account_id)
      assert.deepStrictEqual([wrong.code, wrong.stderr], [1, "The doctor found 1 thing wrong.\n"])
      assert.match(wrong.stdout, /^WRONG +subscription +The app is not subscribed.*\n +Do: See that the token/m)
      for (const secret of secrets) assert.notInclude(well.stdout + wrong.stdout, secret)
    })
  )

  it.effect("looks at the newest 20 connections, and says that there are more", () =>
    Effect.gen(function* () {
      yield* wellStage
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into provider_connections (environment_id, id, environment, provider, channel, status, display_name, created_at, updated_at)
        select 'env_many' || n, 'pcn_zzzz' || n, 'production', 'upstream', 'chatapp', 'pending', 'Many', now(), now()
        from generate_series(1, 21) n`
      const findings = yield* look()
      yield* sql`delete from provider_connections where id like 'pcn_zzzz%'`
      assert.include(findings.map(shown).join("\n"), "attention accounts: There are more than 20 connections")
      assert.lengthOf(
        findings.filter(({ check }) => check === "connection"),
        20
      )
    })
  )
})
