import { Pipeline } from "@carteiro/http-edge/Pipeline.ts"
import { makeTypedCalls } from "@carteiro/http-edge/TypedCalls.ts"
import { Api } from "@carteiro/schema/Api.ts"
import { PeopleApi } from "@carteiro/schema/PeopleApi.ts"
import { Layer } from "effect"
import { Operations } from "./Operations.ts"

/** The operations behind a pipeline of their own, which shares the route table with the server. */
export const operationsLayer = Layer.effect(
  Operations,
  makeTypedCalls({ groups: { ...Api.groups, ...PeopleApi.groups } })
).pipe(Layer.provide(Pipeline.layer))
