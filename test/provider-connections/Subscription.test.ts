import { Commit } from "@carteiro/owners/Commit.ts"
import { numberChanges } from "@carteiro/runtime/phone-numbers/PhoneNumbers.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { seedMember, signedIn } from "../console/Visitor.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { seedProject } from "../support/Tenants.ts"
import { until } from "../support/Until.ts"
import { Upstream, UpstreamProduct } from "../support/Upstream.ts"

const path = "/v1/provider-connections"
let count = 0

/** A new production environment with an active number, and an account at the platform that has it. */
const stage = Effect.gen(function* () {
  const api = yield* Api
  const simulator = yield* Upstream
  const sql = yield* SqlClient.SqlClient
  const n = ++count
  const { production } = yield* seedProject(api.acme.organization_id, `subscribed-${n}`)
  const { key } = production
  const account = { biz_account_id: `71${n}`, token: `token-of-71${n}` }
  const number_id = `81${n}`
  simulator.world.add({ ...account, numbers: [{ id: number_id, display_phone_number: "+1" }], templates: [] })
  const number = yield* seedNumber({ id: production.id, kind: "production" })
  const cover = numberChanges.cover({
    environment_id: production.id,
    id: number.id,
    upstream_phone_number_id: number_id,
    biz_account_id: account.biz_account_id,
    updated_at: yield* Clock.currentTimeMillis
  })
  yield* Effect.orDie((yield* Commit).write([cover]))
  const post = (to: string, body: object) =>
    api.post(`${path}${to}`, body, { key, idempotencyKey: `subscription ${++count}` })
  const channel = Effect.map(api.get(`${path}/status`, { key }), ({ body }) => body.channels.chatapp)
  return {
    account,
    api,
    channel,
    key,
    number,
    number_id,
    post,
    production,
    simulator,
    refusing: (operation: string, value?: number) =>
      simulator.faults.set([{ name: "refuse", operation, ...(value === undefined ? {} : { value }) }], undefined),
    heal: () => simulator.faults.set([], undefined),
    isSubscribed: () => simulator.world.subscriptions.has(account.biz_account_id),
    connect: () =>
      post("/upstream", {
        display_name: "Shop",
        phone_number_id: number_id,
        biz_account_id: account.biz_account_id,
        access_token: account.token
      }),
    connection: (id: string) => Effect.map(api.get(`${path}/${id}`, { key }), ({ body }) => body),
    /** Makes the next check due, once the one before is written. */
    hasten: Effect.andThen(
      until(
        Effect.map(
          sql`select 1 from provider_connections where environment_id = ${production.id}
            and health_due_at > now() + interval '1 minute'`,
          (rows) => rows.length > 0
        )
      ),
      sql`update provider_connections set health_due_at = now()
        where environment_id = ${production.id} and status = 'connected'`
    ),
    registration: Effect.map(
      sql<{ readonly state: string | null }>`select registration_state as state from phone_numbers
        where id = ${number.id}`,
      ([row]) => row?.state ?? null
    )
  }
})

it.layer(UpstreamProduct(), { excludeTestServices: true })("A connected account", (it) => {
  it.effect("sends its messages here, however it was connected U-CON-01", () =>
    Effect.gen(function* () {
      const byToken = yield* stage
      assert.strictEqual((yield* byToken.connect()).body.status, "connected")
      assert.isTrue(byToken.isSubscribed())
      const byCode = yield* stage
      const made = yield* byCode.post("/upstream/oauth", { code: `code:${byCode.account.biz_account_id}` })
      assert.deepStrictEqual([made.status, byCode.isSubscribed()], [201, true], made.text)
    })
  )

  it.effect("stays pending while the platform refuses that, and completing it tries again U-CON-01", () =>
    Effect.gen(function* () {
      const { connect, connection, heal, isSubscribed, post, refusing } = yield* stage
      refusing("subscribed_apps")
      const { body, status } = yield* connect()
      assert.deepStrictEqual([status, body.status, isSubscribed()], [201, "pending", false])
      const refused = yield* post(`/${body.id}/complete-pending`, {})
      assert.deepStrictEqual([refused.status, refused.body.error.code], [400, "chatapp_credentials_invalid"])
      assert.include(refused.body.error.message, "give our app the permission")
      heal()
      const done = yield* post(`/${body.id}/complete-pending`, {})
      assert.deepStrictEqual([done.status, done.body.status, isSubscribed()], [200, "connected", true], done.text)
      assert.strictEqual((yield* connection(body.id)).status, "connected")
    })
  )

  it.effect("whose code was exchanged keeps its token when the platform refuses that U-CON-01", () =>
    Effect.gen(function* () {
      const { account, connection, heal, isSubscribed, post, refusing } = yield* stage
      refusing("subscribed_apps")
      const refused = yield* post("/upstream/oauth", { code: `code:${account.biz_account_id}` })
      assert.deepStrictEqual([refused.status, refused.body.error.code], [400, "chatapp_credentials_invalid"])
      heal()
      const id = refused.body.error.details.provider_connection_id
      assert.strictEqual((yield* connection(id)).status, "pending")
      const done = yield* post(`/${id}/complete-pending`, {})
      assert.deepStrictEqual([done.status, isSubscribed()], [200, true], done.text)
    })
  )

  it.effect("that lost its subscription is subscribed again by the next check U-CON-02", () =>
    Effect.gen(function* () {
      const { account, channel, connect, hasten, heal, isSubscribed, refusing, simulator } = yield* stage
      yield* connect()
      yield* until(Effect.map(channel, ({ ready }) => ready))
      simulator.world.subscriptions.delete(account.biz_account_id)
      yield* hasten
      yield* until(Effect.sync(isSubscribed))
      simulator.world.subscriptions.delete(account.biz_account_id)
      refusing("subscribed_apps")
      yield* hasten
      yield* until(Effect.map(channel, ({ ready }) => !ready))
      const { reasons, status } = yield* channel
      assert.deepStrictEqual([status, reasons], ["blocked", ["upstream_subscription_missing"]])
      heal()
      yield* hasten
      yield* until(Effect.map(channel, ({ ready }) => ready))
      assert.isTrue(isSubscribed())
    })
  )

  it.effect("is the only one of a portfolio when its token was granted all accounts U-CON-04", () =>
    Effect.gen(function* () {
      const { account, post, simulator } = yield* stage
      simulator.world.portfolios.set(account.biz_account_id, { id: "555000000000001", kind: "client" })
      simulator.world.grantsAll = true
      const code = `code:${account.biz_account_id}`
      const made = yield* Effect.ensuring(
        post("/upstream/oauth", { code, biz_account_id: account.biz_account_id }),
        Effect.sync(() => {
          simulator.world.grantsAll = false
        })
      )
      assert.deepStrictEqual([made.status, made.body.biz_account_id], [201, account.biz_account_id], made.text)
    })
  )

  it.effect("is found among the accounts of its portfolio when none was named, if it is the only one U-CON-04", () =>
    Effect.gen(function* () {
      const granted = (simulator: { readonly world: { grantsAll: boolean } }) =>
        Effect.acquireRelease(
          Effect.sync(() => void (simulator.world.grantsAll = true)),
          () => Effect.sync(() => void (simulator.world.grantsAll = false))
        )
      for (const kind of ["owned", "client"] as const) {
        const { account, post, simulator } = yield* stage
        simulator.world.portfolios.set(account.biz_account_id, { id: `556${account.biz_account_id}`, kind })
        yield* granted(simulator)
        const made = yield* post("/upstream/oauth", { code: `code:${account.biz_account_id}` })
        assert.deepStrictEqual([made.status, made.body.biz_account_id], [201, account.biz_account_id], made.text)
      }
      const { account, post, simulator } = yield* stage
      const other = { biz_account_id: `${account.biz_account_id}9`, token: "token-of-a-sibling" }
      simulator.world.add({ ...other, numbers: [], templates: [] })
      for (const { biz_account_id } of [account, other]) {
        simulator.world.portfolios.set(biz_account_id, { id: "557", kind: "owned" })
      }
      yield* granted(simulator)
      const code = `code:${account.biz_account_id},${other.biz_account_id}`
      const several = yield* post("/upstream/oauth", { code })
      assert.deepStrictEqual([several.status, several.body.error.code], [400, "upstream_biz_account_missing"])
    }).pipe(Effect.scoped)
  )

  it.effect("registers its numbers under a PIN that only owners see U-CON-03", () =>
    Effect.gen(function* () {
      const { api, connect, number, number_id, production, registration, simulator } = yield* stage
      const known = simulator.world.numbers.get(number_id)
      assert.isDefined(known)
      Object.assign(known ?? {}, { platform_type: "NOT_APPLICABLE", status: "PENDING" })
      yield* connect()
      yield* until(Effect.map(registration, (state) => state === "registered"))
      assert.deepStrictEqual([known?.platform_type, /^\d{6}$/.test(known?.pin ?? "")], ["CLOUD_API", true])
      const address = `/dashboard/phone-numbers/${production.id}/${number.id}`
      const owner = yield* signedIn(api.acme)
      assert.include((yield* owner.get(address)).text, `<code>${known?.pin}</code>`)
      for (const role of ["admin", "member"] as const) {
        const someone = yield* signedIn(api.acme, yield* seedMember(api.acme, role))
        const page = yield* someone.get(address)
        assert.include(page.text, "shown to owners", role)
        assert.notInclude(page.text, known?.pin ?? "", role)
        const entered = yield* someone.submit("/dashboard", `${address}/pin`, { pin: "314159" })
        assert.strictEqual(entered.status, 403, role)
      }
    })
  )

  it.effect("asks an owner for the PIN that the platform holds, and registers with it U-CON-03", () =>
    Effect.gen(function* () {
      const { api, connect, number, number_id, production, registration, simulator } = yield* stage
      const known = simulator.world.numbers.get(number_id)
      Object.assign(known ?? {}, { platform_type: "NOT_APPLICABLE", status: "PENDING", pin: "314159" })
      yield* connect()
      yield* until(Effect.map(registration, (state) => state === "pin_required"))
      const owner = yield* signedIn(api.acme)
      const here = `/dashboard/phone-numbers/${production.id}/${number.id}`
      assert.strictEqual((yield* owner.submit(here, `${here}/pin`, { pin: "31415" })).status, 400)
      assert.strictEqual((yield* owner.submit(here, `${here}/pin`, { pin: "314159" })).status, 303)
      yield* until(Effect.map(registration, (state) => state === "registered"))
      assert.strictEqual(known?.platform_type, "CLOUD_API")
    })
  )

  it.effect("leaves a number alone that its owner uses in the phone app U-CON-03", () =>
    Effect.gen(function* () {
      const { connect, number_id, registration, simulator, channel, hasten } = yield* stage
      const known = simulator.world.numbers.get(number_id)
      Object.assign(known ?? {}, { platform_type: "NOT_APPLICABLE", is_on_biz_app: true })
      yield* connect()
      yield* until(Effect.map(channel, ({ ready }) => ready))
      yield* hasten
      // The second one waits for the result of the first.
      yield* hasten
      assert.deepStrictEqual([known?.platform_type, yield* registration], ["NOT_APPLICABLE", null])
    })
  )
})
