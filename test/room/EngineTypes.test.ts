import type { Commit } from "@carteiro/owners/Commit.ts"
import { Ids, lowestIdAt, parseId } from "@carteiro/owners/Ids.ts"
import { refuse } from "@carteiro/owners/Owner.ts"
import { Refusals } from "@carteiro/owners/Refusals.ts"
import { contractRefusals, IdempotencyDuplicate } from "@carteiro/runtime/room/EngineTypes.ts"
import { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { id } from "@carteiro/schema/conventions/Ids.ts"
import { RateLimited, ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import fc from "fast-check"

it("the engine takes the contract's prefixes and refusals, and no others", () => {
  const usesTypes = (ids: Ids["Service"], commit: Commit["Service"]) => {
    // @ts-expect-error no resource of the contract has this prefix
    ids.mint("nope", 0)
    // @ts-expect-error as above
    parseId("nope", "")
    // @ts-expect-error as above
    lowestIdAt("nope", 0)
    // @ts-expect-error an owner refuses with a refusal of the contract
    refuse(new Error("no"))
    const narrow: Effect.Effect<unknown, IdempotencyDuplicate | ServiceUnavailable> = commit.write([])
    return narrow
  }
  assert.isFunction(usesTypes)
})

it.effect("a refusal comes to another node with equal members, and a strange one is told apart", () =>
  Effect.gen(function* () {
    const refusals = yield* Refusals
    const limited = new RateLimited({ retry_after_ms: 250, param: "x", details: { class: "reads" } })
    const came = refusals.decode(JSON.parse(JSON.stringify(refusals.encode(limited))))
    assert.instanceOf(came, ApiError)
    assert.deepStrictEqual({ ...came }, { ...limited })
    assert.isUndefined(refusals.decode({ code: "of another release" }))
    assert.instanceOf(refusals.unavailable(), ServiceUnavailable)
    assert.strictEqual(refusals.unavailable().retry_after_ms, 1000)
    assert.instanceOf(refusals.duplicate(), IdempotencyDuplicate)
  }).pipe(Effect.provide(contractRefusals))
)

it.effect("minted ids have the contract's form and carry their instant (gaps-1 A Identifier format)", () =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const isMessageId = Schema.is(id("msg"))
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (millis) => {
        const minted = ids.mint("msg", millis)
        assert.isTrue(isMessageId(minted))
        assert.isTrue(parseId("msg", minted))
      })
    )
  }).pipe(Effect.provide(Ids.layer))
)
