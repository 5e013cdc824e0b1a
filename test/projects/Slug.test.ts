import { deriveSlug } from "@carteiro/runtime/projects/Operator.ts"
import { freeSlug } from "@carteiro/runtime/projects/Slug.ts"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"

const names = fc.string({ unit: "grapheme", minLength: 1, maxLength: 120 })

describe("Slug", () => {
  it.each([
    ["Loja São João", "loja-sao-joao"],
    ["  Açaí & Café!  ", "acai-cafe"],
    ["ABC__def--1", "abc-def-1"],
    ["日本", "project"],
    ["---", "project"],
    ["x".repeat(120), "x".repeat(80)],
    [`${"x".repeat(79)} y`, "x".repeat(79)]
  ])("derives from %s the slug %s A-PROJ-08", (name, slug) => {
    assert.strictEqual(deriveSlug(name), slug)
  })

  it("every name gives a slug the contract accepts, and a slug gives itself A-PROJ-08", () => {
    fc.assert(
      fc.property(names, (name) => {
        const slug = deriveSlug(name)
        assert.match(slug, /^[a-z0-9]+(-[a-z0-9]+)*$/)
        assert.isAtMost(slug.length, 80)
        assert.strictEqual(deriveSlug(slug), slug)
      })
    )
  })

  it("a collision adds the first free number, within the length A-PROJ-08 A-PROJ-11", () => {
    assert.strictEqual(freeSlug("shop", new Set()), "shop")
    assert.strictEqual(freeSlug("shop", new Set(["shop"])), "shop-2")
    assert.strictEqual(freeSlug("shop", new Set(["shop", "shop-2", "shop-4"])), "shop-3")
    const long = "x".repeat(80)
    assert.strictEqual(freeSlug(long, new Set([long])), `${"x".repeat(78)}-2`)
  })

  it("projects of one name all get different slugs A-PROJ-11", () => {
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 30 }), (name, count) => {
        const taken = new Set<string>()
        for (let made = 0; made < count; made++) {
          const slug = freeSlug(deriveSlug(name), taken)
          assert.match(slug, /^[a-z0-9-]{1,80}$/)
          taken.add(slug)
        }
        assert.strictEqual(taken.size, count)
      })
    )
  })
})
