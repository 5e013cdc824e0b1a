import { EventType, SubscribableEventType, webhookTestEvent } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { assert, describe, it } from "@effect/vitest"

describe("event catalog", () => {
  it("holds the 24 documented types and eight of ours A-SIG-14, A-SIG-15, A-SIG-16, A-SIG-17", () => {
    const names: ReadonlyArray<string> = SubscribableEventType.literals
    assert.strictEqual(new Set(names).size, 32)
    const rooms = (prefix: string) => names.filter((name) => name.startsWith(prefix)).length
    assert.deepStrictEqual(
      ["message.", "flow.", "upstream_signup_session.", "payment.", "group.", "template."].map(rooms),
      [9, 1, 1, 8, 8, 5]
    )
  })

  it("knows no message.created, and webhook.test only as a probe A-SIG-18, M-EVT-13", () => {
    const names: ReadonlyArray<string> = SubscribableEventType.literals
    assert.notInclude(names, "message.created")
    assert.notInclude(names, webhookTestEvent)
    assert.deepStrictEqual<ReadonlyArray<string>>(EventType.literals, [...names, webhookTestEvent])
  })
})
