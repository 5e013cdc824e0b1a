import {
  simulatedContent,
  simulatedCustomer,
  simulatedPayload
} from "@carteiro/runtime/messages/sandbox/SimulatedInbound.ts"
import { Traits } from "@carteiro/schema/conventions/Access.ts"
import { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"
import { SandboxApi } from "@carteiro/schema/sandbox/Sandbox.ts"
import { SimulateInbound } from "@carteiro/schema/sandbox/SimulateInbound.ts"
import { assert, describe, it } from "@effect/vitest"
import { Context, Result, Schema } from "effect"
import { bodyVerdict, withField } from "../messages/Decoding.ts"

const verdict = bodyVerdict(SandboxApi, "simulateInbound")
const text = { channel: "chatapp", from: "+5511912345678", to: "pn_1", type: "text", text: { body: "Oi" } }
const answers = (base: object, path: string, value: unknown, expected: string) =>
  assert.strictEqual(verdict(withField(base, path, value)), expected, `${path} = ${JSON.stringify(value)}`)
const decoded = (body: object) => Schema.decodeUnknownSync(SimulateInbound)(body)
const content = (changes: object) => simulatedContent(decoded({ ...text, ...changes }), () => "mda_1")

describe("body of POST /v1/sandbox/inbound-messages", () => {
  it("needs channel, from, to and type M-SBX-04, M-SBX-05, M-SBX-06", () => {
    assert.strictEqual(verdict(text), "ok")
    for (const path of ["channel", "from", "to", "type"]) {
      answers(text, path, undefined, `invalid_message_request ${path}`)
      answers(text, path, 7, `invalid_message_request ${path}`)
    }
    answers(text, "channel", "sms", "invalid_message_request channel")
    answers(text, "type", "video", "invalid_message_request type")
  })

  it("names the missing or wrong object, gaps-2 J Inbound simulation shapes", () => {
    answers(text, "text", undefined, "invalid_message_request text")
    answers(text, "text", null, "invalid_message_request text")
    answers(text, "text", {}, "invalid_message_request text.body")
    answers(text, "text.body", "", "invalid_message_request text.body")
    answers(text, "text.body", "x".repeat(4097), "invalid_message_request text.body")
    answers(text, "type", "interactive", "invalid_message_request interactive")
    answers(
      { ...text, type: "interactive" },
      "interactive",
      { type: "list_reply" },
      "invalid_message_request interactive.list_reply"
    )
    answers({ ...text, type: "flow" }, "flow", { response: [] }, "invalid_message_request flow.response")
  })

  it("names type for a content that cannot be simulated M-SBX-06", () => {
    for (const type of ["template", "video", "location"]) {
      answers(text, "type", type, "invalid_message_request type")
    }
  })

  it("takes a provider type of 1 to 64 lowercase letters, digits or underscores M-SBX-09", () => {
    for (const type of ["unsupported", "unknown"]) {
      const base = { ...text, type }
      answers(base, type, { provider_type: "a_1".padEnd(64, "z") }, "ok")
      for (const provider_type of ["", "A", "a-b", "é", "a".repeat(65), 7]) {
        answers(base, type, { provider_type }, `invalid_message_request ${type}.provider_type`)
      }
    }
  })

  it("takes metadata and a profile name M-SBX-12", () => {
    assert.strictEqual(verdict({ ...text, metadata: { a: 1 }, profile_name: "Ana" }), "ok")
    answers(text, "metadata", [], "invalid_message_request metadata")
    answers(text, "profile_name", "", "invalid_message_request profile_name")
  })
})

describe("simulated customer", () => {
  it("requires a possible phone on chatapp M-SBX-13", () => {
    const read = simulatedCustomer(decoded({ ...text, from: "55 11 91234-567" }))
    assert.isTrue(Result.isSuccess(read))
    for (const from of ["", "ana", "+123456789012345678"]) {
      const refused = simulatedCustomer(decoded({ ...text, from }))
      assert.strictEqual(
        Result.isFailure(refused) && `${refused.failure._tag} ${refused.failure.param}`,
        "invalid_phone_e164 from"
      )
      assert.include(Result.isFailure(refused) && refused.failure.message, "Write + and the country's calling code")
    }
  })

  it("is opaque on the other channels M-SBX-15", () => {
    const read = simulatedCustomer(decoded({ ...text, channel: "socialapp", from: "ana" }))
    assert.deepStrictEqual(read, Result.succeed({ type: "social_user" as const, id: "ana", key: "ana" }))
    assert.strictEqual(verdict({ ...text, channel: "socialapp", from: "" }), "invalid_message_request from")
  })
})

describe("simulated content", () => {
  it("shows the simulated content M-INB-01, M-INB-02, M-INB-03, M-INB-10, M-INB-11", () => {
    const button = { type: "button_reply", button_reply: { id: "yes", title: "Sim" } }
    const list = { type: "list_reply", list_reply: { id: "1", title: "Um" } }
    assert.deepStrictEqual(content({}), { type: "text", text: { body: "Oi" } })
    assert.deepStrictEqual<unknown>(content({ type: "interactive", interactive: button }), {
      type: "interactive",
      interactive: button
    })
    assert.deepStrictEqual<unknown>(content({ type: "interactive", interactive: list }), {
      type: "interactive",
      interactive: { type: "list_reply", list_reply: { id: "1", title: "Um", description: null } }
    })
    assert.deepStrictEqual<unknown>(content({ type: "flow", flow: { response: { a: 1 }, flow_token: "t" } }), {
      type: "flow",
      flow: { name: null, response: { a: 1 }, provider_token: "t" }
    })
  })

  it("defaults the provider type and always gives the 131051 reason M-SBX-07, M-SBX-08, M-SBX-10, M-SBX-11, M-INB-13..16", () => {
    assert.deepStrictEqual(content({ type: "unsupported" }), {
      type: "unsupported",
      unsupported: {
        provider_type: "video_note",
        reason: { code: 131051, message: "Message type is currently not supported." }
      }
    })
    assert.deepStrictEqual(content({ type: "unknown" }), { type: "unknown", unknown: { provider_type: "location" } })
    assert.deepStrictEqual(content({ type: "unknown", unknown: { provider_type: "poll" } }), {
      type: "unknown",
      unknown: { provider_type: "poll" }
    })
  })

  it("fits the inbound union and keeps a raw payload M-READ-24, M-INB-16", () => {
    const message = { provider_message_id: "sb_1", customer_id: "+5511912345678", received_at: 1_500 }
    for (const type of ["text", "unsupported", "unknown"]) {
      const simulated = content({ type })
      Schema.decodeUnknownSync(InboundContent)(simulated, { onExcessProperty: "error" })
      assert.deepInclude(simulatedPayload({}, simulated, message), {
        id: "sb_1",
        from: "5511912345678",
        timestamp: "1"
      })
    }
    assert.strictEqual(simulatedPayload({}, content({ type: "unknown" }), message).type, "location")
  })
})

describe("sandbox routes", () => {
  it("are for sandbox keys, the simulation with scope sandbox:write M-SBX-01, M-SBX-03", () => {
    const traits = ({ annotations }: { readonly annotations: unknown }) =>
      Context.getUnsafe(annotations as Context.Context<Traits>, Traits)
    const { quickstart, simulateInbound } = SandboxApi.endpoints
    assert.deepInclude(traits(quickstart), { scopes: [], sandboxOnly: true })
    assert.deepInclude(traits(simulateInbound), {
      scopes: ["sandbox:write"],
      sandboxOnly: true,
      bodyBeforeRate: true,
      idempotency: "optional",
      rate: "inbound_simulation"
    })
  })
})
