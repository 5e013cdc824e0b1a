import { InboxRepo } from "@carteiro/runtime/vendor-webhooks/InboxRepo.ts"
import { sealBody } from "@carteiro/runtime/vendor-webhooks/SealedBody.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Statements } from "../contract/Planned.ts"
import { beginning, OwnerTest } from "../support/OwnerTest.ts"

const product = OwnerTest(InboxRepo.layer).pipe(Layer.provideMerge(Statements.layer))

const store = Effect.fnUntraced(function* (
  id: string,
  body: Uint8Array | null,
  owners: ReadonlyArray<string>,
  due: number
) {
  const sql = yield* SqlClient.SqlClient
  if (body !== null) {
    yield* sql`insert into vendor_webhooks (id, vendor, body, received_at)
      values (${id}, 'upstream', ${body}, ${new Date(beginning)})`
  }
  for (const owner of owners) {
    yield* sql`insert into vendor_webhook_work (owner_type, owner_id, webhook_id, due_at)
      values ('PhoneNumber', ${owner}, ${id}, ${new Date(due)})`
  }
})

const bytes = (text: string) => new TextEncoder().encode(text)

it.layer(product, { excludeTestServices: true })("Owners that look for calls of vendors at the same time", (it) => {
  it.effect("are read in one statement, each told its own calls, and a call for several with its body", () =>
    Effect.gen(function* () {
      const repo = yield* InboxRepo
      const secrets = yield* Secrets
      yield* store("vwh_1", bytes("{}"), ["pn_a", "pn_b"], beginning)
      yield* store("vwh_2", sealBody(secrets, "vwh_2", bytes("secret")), ["pn_b", "pn_a"], beginning - 1)
      yield* store("vwh_3", null, ["pn_b"], beginning)
      yield* store("vwh_4", bytes("later"), ["pn_a"], beginning + 60_000)
      const statements = yield* Statements
      const [found, asked] = yield* statements.during(
        Effect.all(
          [
            repo.due("PhoneNumber", "pn_a", beginning, 64),
            repo.due("PhoneNumber", "pn_b", beginning, 64),
            repo.due("Environment", "pn_b", beginning, 64),
            repo.due("PhoneNumber", "pn_a", beginning - 1, 1)
          ],
          { concurrency: "unbounded" }
        )
      )
      assert.lengthOf(asked, 1)
      const text = (body: Uint8Array | null) => (body === null ? null : new TextDecoder().decode(body))
      assert.deepStrictEqual(
        found.map(({ calls, hasMore }) => [calls.map(({ body, webhook_id }) => [webhook_id, text(body)]), hasMore]),
        [
          [
            [
              ["vwh_1", "{}"],
              ["vwh_2", "secret"]
            ],
            false
          ],
          [
            [
              ["vwh_1", "{}"],
              ["vwh_2", "secret"],
              ["vwh_3", null]
            ],
            false
          ],
          [[], false],
          [[["vwh_2", "secret"]], true]
        ]
      )
      const [instants, together] = yield* statements.during(
        Effect.all(
          ["pn_a", "pn_b", "pn_c"].map((id) => repo.nextAt("PhoneNumber", id)),
          { concurrency: "unbounded" }
        )
      )
      assert.lengthOf(together, 1)
      assert.deepStrictEqual(instants, [beginning - 1, beginning - 1, undefined])
    })
  )

  it.effect("share what one statement brings: a busy owner leaves room for the others and is told of more", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* InboxRepo
      yield* sql`insert into vendor_webhook_work (owner_type, owner_id, webhook_id, due_at)
        select 'PhoneNumber', 'pn_busy', 'vwh_busy_' || n, ${new Date(beginning)} from generate_series(1, 100) n`
      const alone = yield* repo.due("PhoneNumber", "pn_busy", beginning, 64)
      assert.deepStrictEqual([alone.calls.length, alone.hasMore], [64, true])
      const asks = Array.from({ length: 128 }, () => repo.due("PhoneNumber", "pn_busy", beginning, 64))
      for (const { calls, hasMore } of yield* Effect.all(asks, { concurrency: "unbounded" })) {
        assert.deepStrictEqual([calls.length, hasMore], [8, true])
      }
    })
  )
})
