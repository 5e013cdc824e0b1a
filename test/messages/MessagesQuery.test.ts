import { Traits } from "@carteiro/schema/conventions/Access.ts"
import { listMessagesQuery, MessagesApi } from "@carteiro/schema/messages/MessagesApi.ts"
import { assert, describe, it } from "@effect/vitest"
import { Context, Schema } from "effect"
import { queryReader } from "../../packages/http-edge/decoding/QueryString.ts"

const decode = Schema.decodeUnknownResult(Schema.Struct(listMessagesQuery))
const takes = (query: Record<string, string>) => decode(query)._tag === "Success"

describe("query of GET /v1/messages", () => {
  it("accepts every filter M-READ-02, gaps-2 B More list filters", () => {
    const query = {
      limit: "100",
      starting_after: "c",
      created_after: "2026-01-01T00:00:00-03:00",
      created_before: "2026-01-02T00:00:00.000Z",
      include: "payload",
      channel: "chatapp",
      direction: "inbound",
      status: "received",
      type: "unknown",
      sender_id: "pn_1",
      recipient: "+55 (11) 91234-5678",
      batch_id: "bat_1",
      template_name: "welcome"
    }
    assert.isTrue(takes(query))
    assert.deepStrictEqual(Object.keys(listMessagesQuery).toSorted(), Object.keys(query).toSorted())
  })

  it("refuses a value outside the contract M-READ-03, M-READ-05, M-LIM-06", () => {
    for (const bad of [
      { limit: "0" },
      { limit: "101" },
      { created_after: "2026-01-01T00:00:00" },
      { created_before: "yesterday" },
      { include: "events" },
      { channel: "sms" },
      { direction: "in" },
      { status: "created" },
      { type: "video" },
      { recipient: "123" }
    ]) {
      assert.isFalse(takes(bad), JSON.stringify(bad))
    }
  })

  it("names the parameter under invalid_messages_query M-READ-07, M-ERR-04", () => {
    const { endpoints } = MessagesApi
    const traits = Context.getUnsafe(endpoints.list.annotations as Context.Context<Traits>, Traits)
    const read = queryReader(endpoints.list.query, { code: traits.validation, strict: traits.strictQuery === true })
    const refusal = (search: string) => {
      const { _tag, param } = read(search) as { readonly _tag?: string; readonly param?: string }
      return `${_tag} ${param}`
    }
    assert.strictEqual(refusal("created_after=2026-01-01"), "invalid_messages_query created_after")
    assert.strictEqual(refusal("sender=pn_1"), "invalid_messages_query sender")
  })

  it("needs the scope of each route, and no route is open under exhausted credit M-MSG-02, M-ERR-08, A-AUTH-16", () => {
    const { create, get, list } = MessagesApi.endpoints
    const scopes = [create, get, list].map(({ annotations }) => {
      const traits = Context.getUnsafe(annotations as Context.Context<Traits>, Traits)
      return [
        traits.scopes.join(),
        traits.idempotency ?? "none",
        traits.capability ?? "none",
        traits.restrictedWithoutCredit === true
      ]
    })
    assert.deepStrictEqual(scopes, [
      ["messages:write", "optional", "messaging", true],
      ["messages:read", "none", "none", true],
      ["messages:read", "none", "none", true]
    ])
  })
})
