import { assert, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { compileOperation } from "../../packages/http-edge/contract/Operation.ts"
import { ParcelsApi } from "./SampleApi.ts"

it("products of one process share the decoders of an endpoint, and each has handlers of its own", () => {
  const create = ParcelsApi.endpoints.create as HttpApiEndpoint.Top
  const [first, second] = [1, 2].map((answer) =>
    compileOperation(ParcelsApi, create, () => Effect.succeed(answer), Context.empty())
  )
  assert.strictEqual(first?.decodeBody, second?.decodeBody)
  assert.strictEqual(first?.decodeInStretches, second?.decodeInStretches)
  assert.notStrictEqual(first?.entrance, second?.entrance)
})
