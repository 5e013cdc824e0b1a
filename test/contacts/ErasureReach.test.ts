import { BlobStore } from "@carteiro/provider/BlobStore.ts"
import { erasureJob } from "@carteiro/runtime/contacts/erasure/ErasureJob.ts"
import { inboxBodiesJob } from "@carteiro/runtime/platform/inbox/InboxRepo.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { until } from "../support/Until.ts"
import { UpstreamProduct, upstreamStage } from "../support/Upstream.ts"
import { personPattern, seedPerson, shownOf } from "./SeededPerson.ts"
import { sealedSecrets, standings } from "./TableStandings.ts"
import { allColumns, tellingRows } from "./TellingRows.ts"

const settings = { CARTEIRO_GROUPS_UPSTREAM_REPORTS_ENABLED: "true" }

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
      const opened = new Set(["idempotency_records.response_body", "vendor_webhooks.body"])
      const sealed = columns.filter(({ data_type }) => data_type === "bytea")
      assert.deepStrictEqual(
        sealed
          .map(({ column_name, table_name }) => `${table_name}.${column_name}`)
          .filter((one) => !opened.has(one))
          .sort(),
        Object.keys(sealedSecrets).sort()
      )
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
})
