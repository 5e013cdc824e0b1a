import { patienceWith, ReadPatience, servingLimits } from "@carteiro/tables/ConnectionLimits.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { sandboxProject } from "../messages/SandboxProject.ts"
import type { Answer } from "../support/ApiTest.ts"
import { databaseProxy } from "../support/DatabaseProxy.ts"
import { create, TestDatabase } from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

/** Shorter than in production, so that callers are told sooner. */
const limits = { ...servingLimits, statementMs: 1500 }

const context = (url: string) =>
  WholeProduct({ clock: "live", database: TestDatabase.at(url, limits) }).pipe(
    Layer.provideMerge(Layer.succeed(ReadPatience, patienceWith(limits)))
  )

const isAway = ({ body, headers, status }: Answer) => {
  assert.deepStrictEqual([status, body.error?.code], [503, "service_unavailable"])
  assert.match(headers["retry-after"] ?? "", /^[1-9]\d*$/)
}

it.live(
  "when its database's host vanishes the product answers 503 and a delay, and recovers by itself, nothing lost or doubled A-ERR-18 A-IDEM-04",
  () =>
    Effect.gen(function* () {
      const proxy = yield* databaseProxy(yield* create())
      yield* Effect.gen(function* () {
        const { api, key, number, simulate } = yield* sandboxProject
        assert.strictEqual((yield* simulate()).status, 202)
        const send = (idempotencyKey: string) =>
          api.post(
            "/v1/messages",
            {
              channel: "chatapp",
              sender: { type: "chatapp_phone_number", id: number.id },
              recipient: { type: "phone_e164", id: "+5511912345678" },
              message: { type: "text", text: { body: idempotencyKey } }
            },
            { key, idempotencyKey }
          )
        const first = yield* send("before")
        assert.strictEqual(first.status, 202)

        proxy.vanish()
        const calls = [
          send("during 1"),
          send("during 2"),
          api.get("/v1/messages", { key }),
          api.get(`/v1/messages/${first.body.id}`, { key }),
          api.get("/v1/me", { key })
        ]
        for (const answer of yield* Effect.all(calls, { concurrency: "unbounded" })) isAway(answer)
        assert.strictEqual((yield* api.get("/health")).status, 200)

        proxy.comeBack("resumed")
        for (const name of ["before", "during 1", "during 2", "after"]) {
          yield* until(Effect.map(send(name), ({ status }) => status === 202))
        }
        const sql = yield* SqlClient.SqlClient
        const sent = yield* sql<{ readonly content: string }>`select content from messages
          where business_id = ${number.id} and direction = 'outbound'`
        assert.deepStrictEqual(sent.map(({ content }) => JSON.parse(content).text.body).sort(), [
          "after",
          "before",
          "during 1",
          "during 2"
        ])
      }).pipe(Effect.provide(context(proxy.url), { local: true }))
    }),
  240_000
)
