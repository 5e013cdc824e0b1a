import { operationIdOf } from "@carteiro/http-edge/Routes.ts"
import { type OperationTraits, Traits } from "@carteiro/schema/conventions/Access.ts"
import type { KnownRefusal } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, Exit, type Schema, SchemaParser } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"

/** One operation of the contract, with the parts that the description and its tests need. */
export interface ContractOperation {
  readonly operationId: string
  readonly method: string
  /** With `{name}` for parameters. */
  readonly path: string
  readonly traits: OperationTraits
  /** True when a request without a body counts as one with an empty object. */
  readonly bodyOptional: boolean
  readonly takesBody: boolean
  /** The codes that the operation itself declares, in its order. */
  readonly refusals: ReadonlyArray<KnownRefusal>
}

/** Returns every operation of the contract, in its order. */
export const operationsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<ContractOperation> => {
  const operations: Array<ContractOperation> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint, mergedAnnotations }) =>
      operations.push({
        operationId: operationIdOf(group, endpoint),
        method: endpoint.method.toLowerCase(),
        path: endpoint.path.replaceAll(/:([A-Za-z_]\w*)/g, "{$1}"),
        traits: Context.get(mergedAnnotations as Context.Context<Traits>, Traits),
        bodyOptional: bodyOptional(endpoint),
        takesBody: endpoint.payload.size > 0,
        refusals: refusalsOf(endpoint)
      })
  })
  return operations
}

const bodyOptional = (endpoint: HttpApiEndpoint.Top): boolean =>
  [...endpoint.payload.values()].some(({ schemas }) =>
    schemas.some((schema) =>
      // Schemas of the contract decode without services; their erased type cannot express that.
      Exit.isSuccess(SchemaParser.decodeUnknownExit(schema as Schema.Top & { readonly DecodingServices: never })({}))
    )
  )

const refusalsOf = (endpoint: HttpApiEndpoint.Top): ReadonlyArray<KnownRefusal> =>
  [...endpoint.error].flatMap((schema) => schema.ast.annotations?.refusal ?? [])
