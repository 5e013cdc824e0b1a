import { assert, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { compileOperation } from "../../packages/http-edge/contract/Operation.ts"
import { ParcelsApi } from "./SampleApi.ts"

it("products of one process share the decoders of an endpoint, and each has handlers of its own", () => {
  const group: HttpApiGroup.Constraint = ParcelsApi
  const { create } = group.endpoints as Readonly<Record<"create", HttpApiEndpoint.Top>>
  const compiled = () => compileOperation(group, create, () => Effect.die("not called"), Context.empty())
  const [first, second] = [compiled(), compiled()]
  assert.strictEqual(first.decodeBody, second.decodeBody)
  assert.strictEqual(first.decodeInSlices, second.decodeInSlices)
  assert.notStrictEqual(first.entrance, second.entrance)
})
