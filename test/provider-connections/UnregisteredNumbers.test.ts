import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../support/Until.ts"
import { account, UpstreamProduct, upstreamStage } from "../support/Upstream.ts"

it.layer(UpstreamProduct(), { excludeTestServices: true })("A number that lost its registration", (it) => {
  it.effect("is registered again after the platform refused a send because of it (133010) U-CON-03", () =>
    Effect.gen(function* () {
      const { hear, number, reaches, read, send, simulator, sql, text } = yield* upstreamStage
      yield* hear()
      // The first check is over, so that only the refusal brings the next one.
      const checked = sql`select 1 from provider_connections where environment_id = ${number.environment_id}
        and status = 'connected' and health_due_at > now() + interval '1 hour'`
      yield* until(Effect.map(checked, (rows) => rows.length === 1))
      const known = simulator.world.numbers.get(account.phone_number_id)
      Object.assign(known ?? {}, { platform_type: "NOT_APPLICABLE", status: "PENDING" })
      const { body } = yield* send(text())
      yield* reaches(body.id, "failed")
      const { error_code, provider_error } = yield* read(body.id)
      assert.deepStrictEqual([error_code, provider_error.code], ["upstream_registration_required", 133010])
      yield* until(Effect.sync(() => known?.platform_type === "CLOUD_API"))
      const registered = sql`select 1 from phone_numbers where id = ${number.id} and registration_state = 'registered'`
      yield* until(Effect.map(registered, (rows) => rows.length === 1))
      const again = yield* send(text())
      yield* reaches(again.body.id, "read")
    })
  )
})
