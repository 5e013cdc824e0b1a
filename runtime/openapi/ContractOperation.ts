import { type OperationTraits, Traits } from "@carteiro/schema/conventions/Access.ts"
import { Context } from "effect"
import { HttpApi, type HttpApiGroup } from "effect/http-api"

/** One operation of the contract as the description and its tests need it. */
export interface ContractOperation {
  readonly operationId: string
  readonly method: string
  /** With `{name}` for parameters. */
  readonly path: string
  readonly traits: OperationTraits
}

/** Every operation of the contract, in its order. */
export const operationsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<ContractOperation> => {
  const operations: Array<ContractOperation> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint, mergedAnnotations }) =>
      operations.push({
        operationId: `${group.identifier}.${endpoint.identifier}`,
        method: endpoint.method.toLowerCase(),
        path: endpoint.path.replaceAll(/:([A-Za-z_]\w*)/g, "{$1}"),
        traits: Context.get(mergedAnnotations as Context.Context<Traits>, Traits)
      })
  })
  return operations
}
