import { Api } from "@carteiro/schema/Api.ts"
import { eventCatalog } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { describe } from "../../packages/openapi/description/Description.ts"
import type { JsonSchema } from "./JsonSchema.ts"

/** A parameter as /openapi.json writes it. */
export interface DescribedParameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required: boolean
  readonly schema: JsonSchema
}

interface Content {
  readonly content?: { readonly "application/json"?: { readonly schema: JsonSchema; readonly example?: unknown } }
}

/** A response as /openapi.json writes it; what is said once for many operations is looked up. */
export interface DescribedResponse extends Content {
  readonly $ref?: string
  readonly description?: string
  readonly "x-known-codes"?: ReadonlyArray<string>
}

/** An operation as /openapi.json writes it, with where it stands. */
export interface DescribedOperation {
  readonly operationId: string
  /** In upper case. */
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyArray<DescribedParameter>
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, DescribedResponse>>
  readonly "x-required-scopes": ReadonlyArray<string>
  /** Empty where no key is asked for. */
  readonly security: ReadonlyArray<object>
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, DescribedResponse>>
  }
}

/** The description of the contract as the code has it; that the served one is the same is `Routes.test.ts`'s promise. */
export const description = describe(Api, eventCatalog) as unknown as Description

/** Every operation of a description, in its order. */
export const operationsIn = ({ paths }: Pick<Description, "paths">): ReadonlyArray<DescribedOperation> =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path }))
  )

export const operations = operationsIn(description)

/** The operation with that id. */
export const operation = (operationId: string): DescribedOperation => {
  const found = operations.find((one) => one.operationId === operationId)
  if (found === undefined) throw new Error(`no operation ${operationId}`)
  return found
}

/** The schema of an operation's JSON body, if it takes one. */
export const bodySchema = ({ requestBody }: DescribedOperation): JsonSchema | undefined =>
  requestBody?.content?.["application/json"]?.schema

/** What the description says of a status of an operation. */
export const responseOf = (one: DescribedOperation, status: number | string): DescribedResponse | undefined => {
  const found = one.responses[status]
  return found?.$ref === undefined ? found : description.components.responses[found.$ref.split("/").at(-1) ?? ""]
}

/** Codes the description gives for a status of an operation. */
export const codesFor = (one: DescribedOperation, status: number): ReadonlyArray<string> =>
  responseOf(one, status)?.["x-known-codes"] ?? []

/** A path with its parameters as the things they name: two things have one name in paths. */
export const thingsIn = (path: string): string =>
  path.replace("/agentic/payments/{payment_id}", "/agentic/payments/{agentic_payment_id}")

/** The path with its parameters filled in. */
export const pathOf = (path: string, ids: Readonly<Record<string, string>>): string =>
  thingsIn(path).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? name))
