import { nameWarnings } from "@carteiro/runtime/phone-numbers/number/NameWarnings.ts"
import { NameWarning } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const codes = (name: string | null) => nameWarnings(name).map(({ code }) => code)

describe("Warnings of a display name", () => {
  it('names the parts to which reviewers object M-PHN-24 gaps-2 K "Inner phone shapes"', () => {
    assert.deepStrictEqual(codes("Loja Aurora"), [])
    assert.deepStrictEqual(codes(null), [])
    assert.deepStrictEqual(codes("Atendimento"), ["display_name_generic"])
    assert.deepStrictEqual(codes("Négocio"), ["display_name_generic"])
    assert.deepStrictEqual(codes("Oi"), ["display_name_too_short"])
    assert.deepStrictEqual(codes("Aurora www.aurora.com.br"), ["display_name_has_url"])
    assert.deepStrictEqual(codes("aurora.com"), ["display_name_has_url"])
    assert.deepStrictEqual(codes("LOJA AURORA"), ["display_name_all_caps"])
    assert.deepStrictEqual(codes("東京の店"), [])
  })

  it.prop("has the printed shape whatever the name is M-PHN-24", [Schema.String], ([name]) => {
    for (const warning of nameWarnings(name)) assert.isTrue(Schema.is(NameWarning)(warning))
  })
})
