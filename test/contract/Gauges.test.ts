import * as Messages from "@carteiro/runtime/messages/room.ts"
import * as Webhooks from "@carteiro/runtime/webhooks/room.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestDatabase } from "../support/TestDatabase.ts"
import { nodesOf, planOf, Statements } from "./Planned.ts"

const Asked = TestDatabase.layer.pipe(Layer.provideMerge(Statements.layer))

/** Partial indexes that hold what a gauge looks for and little else. */
const indexes: Readonly<Record<string, string>> = {
  message_send_oldest_due_seconds: "messages_queue",
  webhook_delivery_oldest_due_seconds: "webhook_attempts_due",
  webhook_breaker_endpoints: "webhook_endpoints_breaker"
}

it.layer(Asked, { excludeTestServices: true })("gauges over tables", (it) => {
  for (const gauge of [...Messages.room.gauges, ...Webhooks.room.gauges]) {
    it.effect(`${gauge.name} walks an index (architecture, section 7)`, () =>
      Effect.gen(function* () {
        const [values, statements] = yield* (yield* Statements).during(gauge.read(0))
        for (const value of Object.keys(values)) assert.include(gauge.label?.values ?? [""], value)
        assert.lengthOf(statements, 1)
        for (const statement of statements) {
          const nodes = nodesOf(yield* planOf(statement))
          assert.notInclude(
            nodes.map((node) => node["Node Type"]),
            "Seq Scan"
          )
          const used = new Set(nodes.flatMap((node) => node["Index Name"] ?? []))
          assert.deepStrictEqual([...used], [indexes[gauge.name]])
        }
      })
    )
  }
})
