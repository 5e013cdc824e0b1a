import { Commit } from "@carteiro/owners/Commit.ts"
import { numberChanges } from "@carteiro/runtime/phone-numbers/PhoneNumbers.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { seedTemplates } from "../messages/TypedSending.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { seedProject } from "../support/Tenants.ts"
import { until } from "../support/Until.ts"
import { Upstream, UpstreamProduct } from "../support/Upstream.ts"

const templates = [{ name: "welcome", language: "pt_BR", category: "UTILITY", body: 1 }] as const

let count = 0

/** Two numbers of an account in one portfolio at the simulated platform, connected to a new environment. */
const stage = Effect.gen(function* () {
  const api = yield* Api
  const { log, url, world } = yield* Upstream
  const sql = yield* SqlClient.SqlClient
  const n = ++count
  const { production } = yield* seedProject(api.acme.organization_id, `portfolio-${n}`)
  const account = { biz_account_id: `71${n}`, token: `portfolio-token-${n}` }
  const ids = [`72${n}`, `73${n}`] as const
  world.add({
    ...account,
    subscribed: true,
    numbers: ids.map((id) => ({ id, display_phone_number: "+1" })),
    templates
  })
  for (const id of ids) Object.assign(world.numbers.get(id) ?? {}, { messaging_limit_tier: "TIER_50" })
  yield* seedTemplates({ id: production.id, kind: "production" })
  const updated_at = yield* Clock.currentTimeMillis
  const numbers = yield* Effect.forEach(ids, (upstream_phone_number_id) =>
    Effect.gen(function* () {
      const number = yield* seedNumber({ id: production.id, kind: "production" })
      const place = { environment_id: production.id, id: number.id, updated_at }
      yield* Effect.orDie(
        (yield* Commit).write([
          numberChanges.cover({ ...place, upstream_phone_number_id, biz_account_id: account.biz_account_id })
        ])
      )
      return number
    })
  )
  const { key } = production
  const body = { display_name: "Shop", phone_number_id: ids[0], biz_account_id: account.biz_account_id }
  const read = (id: string) => Effect.map(api.get(`/v1/phone-numbers/${id}`, { key }), (answer) => answer.body)
  const post = (path: string, control: object) =>
    Effect.promise(() => fetch(`${url}${path}`, { method: "POST", body: JSON.stringify(control) }))
  return {
    account,
    api,
    key,
    log,
    numbers,
    post,
    read,
    sql,
    upstreamIds: ids,
    world,
    connect: Effect.gen(function* () {
      const options = { key, idempotencyKey: "connect" }
      const made = yield* api.post(
        "/v1/provider-connections/upstream",
        { ...body, access_token: account.token },
        options
      )
      assert.strictEqual(made.status, 201, made.text)
      for (const { id } of numbers) {
        yield* until(Effect.map(read(id), (number) => number.upstream_health_synced_at !== null))
      }
    }),
    /** Makes the next health check due, and waits for its end. */
    check: Effect.gen(function* () {
      yield* sql`update provider_connections set health_due_at = now() where environment_id = ${production.id}`
      const done = sql<{ readonly done: boolean }>`select health_due_at > now() as done from provider_connections
        where environment_id = ${production.id}`
      yield* until(Effect.map(done, ([row]) => row?.done === true))
    }).pipe(Effect.orDie),
    send: (id: string, to: string) =>
      api.post(
        "/v1/messages",
        {
          channel: "chatapp",
          sender: { type: "chatapp_phone_number", id },
          recipient: { type: "phone_e164", id: to },
          message: { type: "template", template: { name: "welcome", language: "pt_BR", variables: { 1: "Maria" } } }
        },
        { key }
      )
  }
})

it.layer(UpstreamProduct(), { excludeTestServices: true })("The limit of a portfolio", (it) => {
  it.effect("holds for both numbers of its account, and is read with the account's owner U-LIM-01 U-CON-04", () =>
    Effect.gen(function* () {
      const { account, api, connect, key, log, numbers, post, read, send, sql } = yield* stage
      const portfolio = `55${account.biz_account_id}`
      yield* post("/portfolios", { biz_account_id: account.biz_account_id, id: portfolio })
      yield* connect
      const known = sql<{ readonly portfolio_id: string | null }>`select portfolio_id from phone_numbers
        where id in ${sql.in(numbers.map(({ id }) => id))}`
      yield* until(Effect.map(known, (rows) => rows.every(({ portfolio_id }) => portfolio_id === portfolio)))
      const called = log.read(0, "message").length
      const accepted: Array<string> = []
      for (let n = 0; n < 25; n++) {
        for (const [nth, { id }] of numbers.entries()) {
          const sent = yield* send(id, `+55119${nth}0000${String(n).padStart(4, "0")}`)
          assert.strictEqual(sent.status, 202, sent.text)
          accepted.push(sent.body.id)
        }
        // A number that was read just before its portfolio was known opens its first slots by its own limit (decision 0150).
        const leases = sql<{ readonly count: number }>`select count(*)::int4 as count from portfolio_leases
          where portfolio_id = ${portfolio}`
        if (n === 0) yield* until(Effect.map(leases, ([row]) => row?.count === numbers.length))
      }
      const states = Effect.map(
        Effect.forEach(accepted, (id) => api.get(`/v1/messages/${id}`, { key })),
        (answers) => {
          const failed = answers.filter(({ body }) => body.status === "failed")
          assert.deepStrictEqual(
            failed.map(({ body }) => body.provider_error ?? body.error_code),
            []
          )
          return answers.map(({ body }) => [body.status === "queued", body.status_reason])
        }
      )
      // A message whose number has yet to get its block is held for a moment, too.
      yield* until(Effect.map(states, (all) => all.filter(([isQueued]) => isQueued).length <= 5))
      const held = (yield* states).filter(([isQueued]) => isQueued)
      // The tier of 50 less its margin is 45, for both together.
      assert.isTrue(held.length > 0 && held.every(([, reason]) => reason === "messaging_limit_pacing"))
      const sent = accepted.length - held.length
      assert.strictEqual(sent, 45)
      assert.strictEqual(log.read(0, "message").length - called, sent)
      const shown = yield* Effect.forEach(numbers, ({ id }) => read(id))
      assert.deepStrictEqual(
        shown.map((number) => number.remaining_messaging_allowance_estimate),
        [0, 0]
      )
      assert.strictEqual(
        shown.reduce((sum, number) => sum + number.current_24h_unique_recipients, 0),
        sent
      )
    })
  )

  it.effect(
    "stays known when the platform does not tell it, and holds for a number that was read without it U-LIM-01",
    () =>
      Effect.gen(function* () {
        const { check, connect, numbers, read, upstreamIds, world } = yield* stage
        for (const id of upstreamIds) Object.assign(world.numbers.get(id) ?? {}, { messaging_limit_tier: "TIER_10K" })
        yield* connect
        const tiers = Effect.map(
          Effect.forEach(numbers, ({ id }) => read(id)),
          (all) => all.map(({ messaging_limit_tier, messaging_tier }) => [messaging_limit_tier, messaging_tier])
        )
        const known = [
          ["TIER_10K", "tier_10k"],
          ["TIER_10K", "tier_10k"]
        ]
        assert.deepStrictEqual(yield* tiers, known)
        for (const id of upstreamIds) Object.assign(world.numbers.get(id) ?? {}, { messaging_limit_tier: undefined })
        yield* check
        assert.deepStrictEqual(yield* tiers, known)
        const [first] = upstreamIds
        Object.assign(world.numbers.get(first) ?? {}, { messaging_limit_tier: "TIER_100K" })
        yield* check
        const raised = Effect.map(tiers, (all) => all.every(([, tier]) => tier === "tier_100k"))
        yield* until(raised)
      })
  )
})
