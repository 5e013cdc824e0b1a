import { jobs } from "@carteiro/runtime/app/Fold.ts"
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { json, run } from "../cli/Commands.ts"
import { until } from "../support/Until.ts"
import { account, told, UpstreamProduct, upstreamStage } from "../support/Upstream.ts"

interface Ignored {
  readonly biz_account_id: string
  readonly environments: string
  readonly field: string
  readonly count: number
  readonly last_at: string
  readonly content: string | null
}

const Product = UpstreamProduct().pipe(Layer.provideMerge(NodeServices.layer))
const phone = "5511974300200"

it.layer(Product, { excludeTestServices: true })("Notices without a meaning here", (it) => {
  it.effect("are counted by field for seven days, and show no customer U-ACC-02", () =>
    Effect.gen(function* () {
      const { control, number, sql, tell } = yield* upstreamStage
      const listed = Effect.map(
        json("connections", "ignored", "--account", account.biz_account_id),
        (told) => (told as { readonly data: ReadonlyArray<Ignored> }).data
      )
      const of = (field: string) => Effect.map(listed, (data) => data.find((one) => one.field === field))
      const { biz_account_id } = account
      for (const field of ["account_alerts", "security", "payment_configuration_update"]) {
        yield* control("/notices", { biz_account_id, field })
      }
      yield* control("/notices", { biz_account_id, field: "account_alerts" })
      yield* tell(told({ calls: [{ from: phone }] }, "calls"))
      yield* tell(told({ statuses: [{ id: "wamid.1", status: "pondered", recipient_id: phone }] }))
      yield* until(Effect.map(of("account_alerts"), (one) => one?.count === 2))
      yield* until(Effect.map(of("messages"), (one) => one?.count === 1))
      for (const field of ["security", "payment_configuration_update", "calls"]) {
        yield* until(Effect.map(of(field), (one) => one?.count === 1))
      }
      const alerts = yield* of("account_alerts")
      assert.strictEqual(alerts?.environments, number.environment_id)
      assert.strictEqual(JSON.parse(alerts?.content ?? "{}").alert_info?.alert_type, "OBA_APPROVED")
      assert.isNull((yield* of("calls"))?.content)
      assert.notInclude(JSON.stringify(yield* sql`select * from ignored_notices`), phone)
      assert.match((yield* run("connections", "ignored")).text, /account_alerts +2 /)

      // A call that is worked on again is counted once.
      yield* sql`update vendor_webhook_work set due_at = now() where owner_type = 'UpstreamAccount'
        and webhook_id = (select last_call from ignored_notices where field = 'security')`
      yield* tell(told({}, "security"))
      yield* until(Effect.map(of("security"), (one) => one?.count === 2))

      yield* sql`update ignored_notices set last_at = now() - interval '7 days 1 minute' where field = 'calls'`
      yield* Effect.forEach(jobs, (job) => (job.name === "ignored notices" ? job.run : Effect.void))
      assert.isUndefined(yield* of("calls"))
      assert.strictEqual((yield* of("account_alerts"))?.count, 2)
    })
  )

  it.effect("count fifty fields of an account and day at most U-ACC-02", () =>
    Effect.gen(function* () {
      const { sql, tell } = yield* upstreamStage
      const changes = Array.from({ length: 60 }, (_, n) => ({ field: `news_${n}`, value: {} }))
      yield* tell({ object: "whatsapp_business_account", entry: [{ id: "777", changes }] })
      yield* tell({ object: "whatsapp_business_account", entry: [{ id: "777", changes: changes.slice(49, 51) }] })
      const rows = Effect.orDie(
        sql<{ readonly field: string; readonly count: number }>`select field, count from ignored_notices
          where biz_account_id = '777' order by field`
      )
      yield* until(Effect.map(rows, (all) => all.some(({ field, count }) => field === "news_49" && count === 2)))
      assert.lengthOf(yield* rows, 50)
    })
  )
})
