import { readFileSync } from "node:fs"
import { subjectHashes } from "@carteiro/owners/Subject.ts"
import { joinJob } from "@carteiro/runtime/customers/JoinJob.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { hiddenStage } from "../messages/HiddenStage.ts"
import { UpstreamProduct } from "../support/Upstream.ts"

const migration = readFileSync(new URL("../../schema/database/0149_match_keys_of_mobiles.sql", import.meta.url), "utf8")

it.layer(UpstreamProduct(), { excludeTestServices: true })("Keys from before one key for both spellings", (it) => {
  it.effect("are rewritten by the upgrade, and contacts that meet are joined: opted out wins U-INB-08", () =>
    Effect.gen(function* () {
      const { contacts, environment_id, heard, sql } = yield* hiddenStage
      yield* heard({ from: "525512345678" })
      yield* heard({ from: "5491112345678" })
      const [mexican] = yield* contacts("&phone=%2B525512345678")
      const [argentine] = yield* contacts("&phone=%2B541112345678")
      // As the release before kept them.
      yield* sql`insert into contacts (environment_id, id, customer_type, match_key, phone, opt_in_status, source,
          opted_out_at, created_at, updated_at)
        values (${environment_id}, 'con_01000000000000000000000000', 'phone_e164', '5215512345678', '+5215512345678',
          'opted_out', 'api', now(), now() - interval '1 year', now())`
      yield* sql`update contacts set match_key = '5491112345678' where id = ${argentine?.id}`
      yield* sql`update messages set customer_key = '5491112345678' where customer_key = '541112345678'`
      yield* sql`update service_windows set customer_key = '5491112345678' where customer_key = '541112345678'`
      yield* sql.withTransaction(
        Effect.forEach(
          migration
            .replaceAll(/^--.*$/gm, "")
            .split(/;\s*$/m)
            .filter((statement) => statement.trim() !== ""),
          (statement) => sql.unsafe(statement)
        )
      )
      yield* joinJob.run
      const [joined] = yield* contacts("&phone=%2B5215512345678")
      assert.deepInclude(joined, { id: "con_01000000000000000000000000", opt_in_status: "opted_out" as const })
      assert.notStrictEqual(joined?.id, mexican?.id)
      assert.strictEqual((yield* contacts("&phone=%2B541112345678"))[0]?.id, argentine?.id)
      for (const table of ["messages", "service_windows"]) {
        const rows = yield* sql.unsafe(`select 1 from ${table} where customer_key ~ '^549'`)
        assert.lengthOf(rows, 0)
      }
    })
  )

  it.effect("keep an erased opt-out, whose hash is of the former key U-INB-08", () =>
    Effect.gen(function* () {
      const { environment_id, heard, send, sql, text } = yield* hiddenStage
      const secrets = yield* Secrets
      for (const [former, phone] of [
        ["5215598765432", "+525598765432"],
        ["5491198765432", "+541198765432"]
      ] as const) {
        const [hash] = subjectHashes(secrets, environment_id, { type: "phone_e164", key: former })
        yield* sql`insert into contact_suppressions (environment_id, subject, source, opted_out_at)
          values (${environment_id}, ${hash}, 'api', now())`
        // The customer writes, in the spelling of today: that opens the window and lifts no opt-out.
        yield* heard({ from: phone.slice(1) })
        for (const to of [phone, `+${former}`]) {
          assert.strictEqual((yield* send(text("oi"), to)).body.error?.code, "contact_opted_out", to)
        }
      }
    })
  )
})
