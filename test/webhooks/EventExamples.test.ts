import { subscribableEvents } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { eventExamples } from "@carteiro/schema/webhooks/EventExamples.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

describe("examples of events", () => {
  it("exist for each type to which an endpoint can subscribe, as its declaration says A-SIG-14", () => {
    assert.deepStrictEqual(
      Object.keys(eventExamples),
      subscribableEvents.map(({ type }) => type)
    )
    for (const { data, type } of subscribableEvents) {
      const example = eventExamples[type as keyof typeof eventExamples]
      const known = Schema.decodeUnknownSync(data as Schema.Decoder<unknown>)(JSON.parse(JSON.stringify(example)))
      assert.deepStrictEqual(known, example, type)
    }
  })
})
