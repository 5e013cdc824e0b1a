import { defineAccountAct, HostedActs, handleAct } from "@carteiro/runtime/billing/account/AccountAct.ts"
import { actCallers } from "@carteiro/runtime/billing/owner/ActCallers.ts"
import { BillingAccountEntity } from "@carteiro/runtime/billing/owner/BillingAccountEntity.ts"
import { room as billingRoom } from "@carteiro/runtime/billing/room.ts"
import { actsOf, defineRoom } from "@carteiro/runtime/room/Room.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { OwnerTest } from "../support/OwnerTest.ts"
import { hold, seedFunds } from "./Accounts.ts"
import { testActs } from "./TestActs.ts"

/** Answers the instant a day later; its schemas have values that are not JSON. */
const postpone = defineAccountAct("test.postpone", { request: Schema.Date, result: Schema.Date })
const postponeHandler = handleAct(
  postpone,
  Effect.succeed({
    reservations: () => [],
    read: () => Effect.void,
    decide: (request) => ({ _tag: "Answer", result: new Date(request.getTime() + 86_400_000) }) as const
  })
)

const acts = [...testActs, postponeHandler] as const
const owners = Layer.merge(Layer.provide(billingRoom.owners, HostedActs.layer(acts)), actCallers(acts))
const product = OwnerTest(Layer.provideMerge(owners, billingRoom.services), billingRoom.followers)

it.layer(product, { excludeTestServices: true })("Acts of an account", (it) => {
  it.effect("encodes a request and its result by the schemas of the act", () =>
    Effect.gen(function* () {
      const { id } = yield* seedFunds(1_0000)
      const later = yield* (yield* postpone.caller)(id, new Date("2026-02-28T00:00:00Z"))
      assert.deepStrictEqual(later, new Date("2026-03-01T00:00:00Z"))
      const accounts = yield* BillingAccountEntity.client
      const sent = { act: postpone.name, request: "2026-02-28T00:00:00.000Z" }
      assert.strictEqual(yield* accounts.Act(id, sent), "2026-03-01T00:00:00.000Z")
    })
  )

  it.effect("refuses an act of a newer version as unavailable, and decides the other acts of its batch", () =>
    Effect.gen(function* () {
      const account = yield* seedFunds(5_0000)
      const accounts = yield* BillingAccountEntity.client
      const [newer, held] = yield* Effect.all(
        [Effect.flip(accounts.Act(account.id, { act: "test.of_tomorrow", request: {} })), hold(account, 1_0000)],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(newer._tag, "service_unavailable")
      assert.strictEqual(held.state, "open")
    })
  )
})

it("an act without a room, or with two rooms, does not compile", () => {
  const calling = Layer.effectDiscard(postpone.caller)
  const one = defineRoom({ name: "one", acts: [postponeHandler] })
  const other = defineRoom({ name: "other", acts: testActs })
  type Provided = Layer.Services<ReturnType<typeof actCallers>>
  const handled: Layer.Layer<never, never, Provided> = Layer.provide(calling, actCallers(actsOf([one, other])))
  // @ts-expect-error no room handles `test.postpone`
  const unhandled: Layer.Layer<never, never, Provided> = Layer.provide(calling, actCallers(actsOf([other])))
  // @ts-expect-error `test.postpone` is handled twice
  const twice = () => actsOf([one, other, one])
  assert.isDefined([handled, unhandled, twice])
})
