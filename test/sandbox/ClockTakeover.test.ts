import { assert, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { create, TestDatabase } from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

/** A product over that database, until it is stopped. */
const start = Effect.fnUntraced(function* (url: string) {
  const scope = yield* Scope.make()
  const product = WholeProduct({ database: TestDatabase.at(url) })
  const context = yield* Layer.buildWithMemoMap(product, Layer.makeMemoMapUnsafe(), scope)
  return <A, E>(use: Effect.Effect<A, E, Layer.Success<typeof product>>) =>
    Effect.ensuring(Effect.provideContext(use, context), Scope.close(scope, Exit.void))
})

it.live("an advance that a node left midway settles on the next node", () =>
  Effect.gen(function* () {
    const url = yield* create()
    const begun = yield* (yield* start(url))(
      Effect.gen(function* () {
        const { acme, post } = yield* Api
        const { key } = (yield* seedProject(acme.organization_id, "takeover")).sandbox
        const asked = yield* post("/v1/sandbox/clock/advance", { by_seconds: 100_800 }, { key })
        assert.deepStrictEqual([asked.status, asked.body.status], [202, "running"], asked.text)
        return { key, id: asked.body.id as string, to: asked.body.to as string }
      })
    )
    yield* (yield* start(url))(
      Effect.gen(function* () {
        const { get } = yield* Api
        const { key } = begun
        const read = get(`/v1/sandbox/clock/advances/${begun.id}`, { key })
        yield* until(
          Effect.andThen(
            turnBy(1_000),
            Effect.map(read, ({ body }) => body.status !== "running")
          )
        )
        const { body } = yield* read
        assert.deepStrictEqual([body.status, body.settled_at, body.error], ["settled", begun.to, null])
        assert.isAtLeast((yield* get("/v1/sandbox/clock", { key })).body.lead_seconds, 100_000)
      })
    )
  }).pipe(Effect.scoped)
)
