import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { UpstreamProduct } from "../support/Upstream.ts"
import { hiddenStage } from "./HiddenStage.ts"

it.layer(UpstreamProduct(), { excludeTestServices: true })("What a join moves", (it) => {
  it.effect("guards, allowance and files of both ids are one customer's U-HID-03", () =>
    Effect.gen(function* () {
      const { environment_id, heard, number, sql } = yield* hiddenStage
      const user_id = "BR.7500000000000001"
      const [from, digits] = [user_id, "5511975000001"]
      yield* heard({ user_id })
      const claim = (key: string, hash: string) => sql`insert into marketing_claims
        (environment_id, customer_key, content_hash, business_id, message_id, attempted_at, claimed_at)
        values (${environment_id}, ${key}, ${hash}, ${number.id}, ${`msg_${hash}`}, now(), now())`
      const attempt = (key: string, id: string, hours: number) => sql`insert into marketing_attempts
        (environment_id, business_id, customer_key, latest_message_id, latest_at)
        values (${environment_id}, ${number.id}, ${key}, ${id}, now() - ${`${hours} hours`}::interval)`
      const slot = (key: string, hours: number, uses: number) => sql`insert into allowance_slots
        (environment_id, business_id, customer_key, expires_at, uses)
        values (${environment_id}, ${number.id}, ${key}, now() + ${`${hours} hours`}::interval, ${uses})`
      yield* claim(from, "h1")
      yield* claim(digits, "h2")
      yield* attempt(from, "msg_late", 1)
      yield* attempt(digits, "msg_early", 2)
      yield* slot(from, 10, 1)
      yield* slot(digits, 20, 2)
      yield* sql`insert into marketing_stops (environment_id, account_id, customer_key, stopped_at)
        values (${environment_id}, '2001', ${from}, now())`
      yield* sql`insert into media_jobs (environment_id, id, kind, environment, input, trace_id, created_at, customer_type,
          customer_key) values (${environment_id}, 'msg_joined', 'send', 'production', '{}', 'trc_1', now(), 'phone_e164', ${from})`
      yield* heard({ from: digits, user_id })

      for (const table of [
        "marketing_claims",
        "marketing_attempts",
        "allowance_slots",
        "marketing_stops",
        "media_jobs"
      ]) {
        const left = yield* sql.unsafe(`select 1 from ${table} where customer_key = $1 and environment_id = $2`, [
          from,
          environment_id
        ])
        assert.lengthOf(left, 0, table)
      }
      const of = (table: string, columns: string) =>
        sql.unsafe(`select ${columns} from ${table} where customer_key = $1 and environment_id = $2 order by 1`, [
          digits,
          environment_id
        ])
      assert.deepStrictEqual(yield* of("marketing_claims", "content_hash"), [
        { content_hash: "h1" },
        { content_hash: "h2" }
      ])
      assert.deepStrictEqual(yield* of("marketing_attempts", "latest_message_id, previous_message_id"), [
        { latest_message_id: "msg_late", previous_message_id: "msg_early" }
      ])
      assert.deepStrictEqual(
        yield* of("allowance_slots", "uses, expires_at > now() + interval '15 hours' as is_later"),
        [{ uses: 3, is_later: true }]
      )
      assert.lengthOf(yield* of("marketing_stops", "account_id"), 1)
      assert.lengthOf(yield* of("media_jobs", "id"), 1)
    })
  )
})
