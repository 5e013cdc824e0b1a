import { consentChange, heldBack } from "@carteiro/runtime/messages/receive/InboundKeyword.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

const words = { opt_out: ["stop", "unsubscribe", "parar", "descadastrar"], opt_in: ["start", "voltar"] } as const

describe("inbound keywords", () => {
  it("change consent in any case, padding and accent, gaps-2 C Opt-out by message", () => {
    const pad = fc.string({ unit: fc.constantFrom(" ", "\n", "\t"), maxLength: 3 })
    for (const change of ["opt_out", "opt_in"] as const) {
      fc.assert(
        fc.property(
          fc.constantFrom(...words[change]),
          fc.infiniteStream(fc.boolean()),
          pad,
          pad,
          (word, upper, a, b) => {
            const mixed = [...word].map((letter) => (upper.next().value ? letter.toUpperCase() : letter)).join("")
            assert.strictEqual(consentChange(a + mixed + b), change)
          }
        )
      )
    }
    assert.strictEqual(consentChange("PÁRAR"), "opt_out")
    assert.strictEqual(consentChange("pa\u0301rar"), "opt_out")
    assert.strictEqual(consentChange("vôltar"), "opt_in")
  })

  it("are whole messages only, gaps-2 C Opt-out by message", () => {
    for (const body of ["please stop", "stop!", "stopped", "s top", "", "toString", "stop".padEnd(5000, "x")]) {
      assert.isUndefined(consentChange(body), body)
    }
  })

  it("and reactions are the only content that a suspended number passes on A-SIG-22", () => {
    const text = (body: string) => ({ type: "text", content: jsonText({ type: "text", text: { body } }) })
    const passing = [text("Parar"), text(" STOP "), { type: "reaction", content: null }]
    const held = [text("Oi"), text("start"), { type: "interactive", content: null }, { type: "text", content: null }]
    assert.deepStrictEqual(passing.map(heldBack), [false, false, false])
    assert.deepStrictEqual(held.map(heldBack), [true, true, true, true])
  })
})
