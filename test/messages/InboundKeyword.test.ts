import { consentAsked, consentChange, heldBack } from "@carteiro/runtime/messages/receive/InboundKeyword.ts"
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
    for (const body of ["please stop", "stop! now", "stopped", "s top", "", "toString", "stop".padEnd(5000, "x")]) {
      assert.isUndefined(consentChange(body), body)
    }
  })

  it("count with punctuation around them, and as the title or id of a tapped button U-INB-09", () => {
    for (const body of ["Parar.", "stop!", '"PARAR"', "*parar*", " - parar - ", "¡stop!"]) {
      assert.strictEqual(consentChange(body), "opt_out", body)
    }
    const tap = (id: string, title: string) => ({
      type: "interactive",
      content: jsonText({
        type: "interactive" as const,
        interactive: { type: "button_reply" as const, button_reply: { id, title } }
      })
    })
    assert.strictEqual(consentAsked(tap("b-1", "Parar")), "opt_out")
    assert.strictEqual(consentAsked(tap("STOP", "Não quero mais")), "opt_out")
    assert.strictEqual(consentAsked(tap("b-2", "Voltar")), "opt_in")
    assert.isUndefined(consentAsked(tap("b-3", "Agendar")))
    const row = { id: "stop", title: "Parar", description: null }
    const list = { type: "list_reply" as const, list_reply: row }
    const chosen = jsonText({ type: "interactive" as const, interactive: list })
    assert.isUndefined(consentAsked({ type: "interactive", content: chosen }))
  })

  it("and reactions are the only content that a suspended number passes on A-SIG-22", () => {
    const text = (body: string) => ({ type: "text", content: jsonText({ type: "text", text: { body } }) })
    const passing = [text("Parar"), text(" STOP "), { type: "reaction", content: null }]
    const held = [text("Oi"), text("start"), { type: "interactive", content: null }, { type: "text", content: null }]
    assert.deepStrictEqual(passing.map(heldBack), [false, false, false])
    assert.deepStrictEqual(held.map(heldBack), [true, true, true, true])
  })
})
