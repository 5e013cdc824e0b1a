import { BlobStore } from "@carteiro/provider/BlobStore.ts"
import { erasureJob } from "@carteiro/runtime/contacts/erasure/ErasureJob.ts"
import { inboxBodiesJob } from "@carteiro/runtime/vendor-webhooks/InboxRepo.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { until } from "../support/Until.ts"
import { told, UpstreamProduct, upstreamStage } from "../support/Upstream.ts"
import { personPattern, seedPerson, shownOf } from "./SeededPerson.ts"
import { bytesToOpen, standings } from "./TableStandings.ts"
import { allColumns, openedTexts, tellingRows } from "./TellingRows.ts"

const settings = { CARTEIRO_REQUEST_LOG: "on", CARTEIRO_GROUPS_UPSTREAM_REPORTS_ENABLED: "true" }

/** Makes both passes over the erasures at once. */
const passes = Effect.orDie(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const _ of [1, 2]) {
      yield* sql`update contact_erasures set due_at = clock_timestamp() - interval '1 second'`
      yield* erasureJob.run
    }
  })
)

const tablesOf = (telling: Readonly<Record<string, number>>) =>
  new Set(Object.keys(telling).map((column) => column.split(".", 1)[0] as string))

it.layer(UpstreamProduct({ settings }), { excludeTestServices: true })("The reach of an erasure", (it) => {
  it.effect("is decided for every table and every sealed column", () =>
    Effect.gen(function* () {
      const columns = yield* allColumns
      assert.deepStrictEqual(
        [...new Set(columns.map(({ table_name }) => table_name))].sort(),
        Object.keys(standings).sort()
      )
      assert.deepStrictEqual(Object.keys(yield* openedTexts).sort(), bytesToOpen)
    })
  )

  it.effect('is every row, byte and answer that tells of the customer gaps-2 I "Erasure"', () =>
    Effect.gen(function* () {
      const stage = yield* upstreamStage
      const { acme, get, delete: remove } = yield* Api
      yield* seedPerson(stage)
      const before = tablesOf(yield* tellingRows(personPattern))
      const erased = Object.entries(standings).flatMap(([table, standing]) => (standing === "erased" ? [table] : []))
      // An erasure notes itself only once it has begun.
      assert.deepStrictEqual(
        erased.filter((table) => !before.has(table)),
        ["contact_erasures"]
      )
      assert.match(yield* shownOf(acme.sandbox), personPattern)

      for (const { key } of [acme.sandbox, acme.production]) {
        const { body } = yield* get("/v1/contacts?limit=100", { key })
        for (const { id } of body.data) assert.strictEqual((yield* remove(`/v1/contacts/${id}`, { key })).status, 200)
      }
      yield* passes
      yield* inboxBodiesJob.run

      const after = yield* tellingRows(personPattern)
      const allowed = (table: string) => typeof standings[table] === "object" && "keeps" in standings[table]
      assert.deepStrictEqual(
        Object.fromEntries(Object.entries(after).filter(([column]) => !allowed(column.split(".", 1)[0] ?? ""))),
        {}
      )
      for (const environment of [acme.sandbox, acme.production]) {
        assert.notMatch(yield* shownOf(environment), personPattern)
      }
      // The files go as the owner of the environment's media gets to them.
      const blobs = yield* BlobStore
      yield* until(Effect.map(Effect.orDie(blobs.list("", 1000)), (found) => found.length === 0))
    })
  )

  it.effect('lets nothing come back with work that was under way gaps-2 I "Erasure"', () =>
    Effect.gen(function* () {
      const { api, faults, hear, key, reaches, read, send, sql, tell, text } = yield* upstreamStage
      const phone = "+5511984321876"
      const profile_name = "Zulmira Quintanilha"
      yield* hear(phone, { profile_name })
      yield* faults({ name: "no_status", times: 1 }, { name: "fail_download" })
      const { id } = (yield* send(text(), phone)).body
      yield* reaches(id, "sent")
      const { provider_message_id } = yield* read(id)
      // The file cannot be fetched yet, and its event waits for it.
      const file = yield* hear(phone, { profile_name, type: "image", image: {} })
      const captures = sql`select 1 from media_jobs where kind = 'capture' and attempts > 0 and due_at is not null`
      yield* until(Effect.map(captures, (rows) => rows.length === 1))

      const { body } = yield* api.get("/v1/contacts?limit=100", { key })
      for (const contact of body.data) yield* api.delete(`/v1/contacts/${contact.id}`, { key })
      yield* passes
      yield* faults()
      assert.deepStrictEqual(yield* captures, [])
      assert.deepStrictEqual(yield* sql`select 1 from outbox_events where source_id = ${file.id}`, [])

      const details = "Message undeliverable: +5511984321876 (Zulmira Quintanilha)"
      const errors = [{ code: 131026, title: details, message: details, error_data: { details } }]
      const recipient_id = phone.slice(1)
      const report = { id: provider_message_id, status: "failed", timestamp: "1767225600", recipient_id, errors }
      assert.strictEqual((yield* tell(told({ statuses: [report] }))).status, 200)
      yield* reaches(id, "failed")
      const { error_code, provider_error } = yield* read(id)
      assert.deepStrictEqual(
        [error_code, provider_error.code, provider_error.title, provider_error.message],
        ["upstream_recipient_undeliverable", 131026, null, null]
      )
      const events = yield* sql<{ readonly envelope: string }>`select envelope from outbox_events
        where source_id = ${id} and type = 'message.failed'`
      assert.strictEqual(events.length, 1)
      assert.notMatch(JSON.stringify(events), personPattern)
    })
  )
})
