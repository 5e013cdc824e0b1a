import * as Migrations from "@carteiro/tables/Migrations.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { sandboxProject } from "../messages/SandboxProject.ts"
import { replicated, waitForStandby } from "../support/Standby.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

it.live(
  "while commits wait for a synchronous standby that is gone, each caller is answered 503 and a delay, and repeats bring each message once A-ERR-18 A-IDEM-04",
  () =>
    Effect.gen(function* () {
      const { primary } = yield* replicated
      yield* Effect.provide(
        Migrations.migrate(),
        Sql.layer(primary, { applicationName: "carteiro-test-migrate", maxConnections: 2 })
      )
      const waitFor = (standby: string) => waitForStandby(primary, standby)
      yield* Effect.gen(function* () {
        const { api, key, number, simulate } = yield* sandboxProject
        assert.strictEqual((yield* simulate()).status, 202)
        const send = (name: string) =>
          api.post(
            "/v1/messages",
            {
              channel: "chatapp",
              sender: { type: "chatapp_phone_number", id: number.id },
              recipient: { type: "phone_e164", id: "+5511912345678" },
              message: { type: "text", text: { body: name } }
            },
            { key, idempotencyKey: name }
          )
        assert.strictEqual((yield* send("before")).status, 202)

        yield* waitFor("none")
        const names = ["first", "second", "third", "fourth"]
        const begun = performance.now()
        for (const { body, headers, status } of yield* Effect.forEach(names, send, { concurrency: "unbounded" })) {
          assert.deepStrictEqual([status, body.error?.code], [503, "service_unavailable"])
          assert.match(headers["retry-after"] ?? "", /^[1-9]\d*$/)
        }
        // Twice the deadline of a call, since a request asks two owners, and time for a busy machine.
        assert.isBelow(performance.now() - begun, 60_000)
        // What only reads waits for nobody.
        assert.strictEqual((yield* api.get("/v1/me", { key })).status, 200)

        yield* waitFor("")
        for (const name of names) yield* until(Effect.map(send(name), ({ status }) => status === 202))
        const sql = yield* SqlClient.SqlClient
        const sent = yield* sql<{ readonly content: string }>`select content from messages
          where business_id = ${number.id} and direction = 'outbound'`
        assert.deepStrictEqual(
          sent.map(({ content }) => JSON.parse(content).text.body).sort(),
          ["before", ...names].sort()
        )
      }).pipe(
        // Services of the product write at their end.
        Effect.ensuring(Effect.ignore(waitFor(""))),
        Effect.provide(WholeProduct({ clock: "live", database: TestDatabase.at(primary) }), { local: true })
      )
    }),
  240_000
)
