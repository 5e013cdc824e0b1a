import { takesApiKey } from "@carteiro/schema/conventions/Access.ts"
import type { OpenApi } from "effect/http-api"
import { codeSamples } from "./CodeSamples.ts"
import type { ContractOperation } from "./ContractOperation.ts"
import { defined, type Json, open } from "./Json.ts"
import { refusalResponses, requestHeaders, takesKey } from "./Refusals.ts"

/**
 * Completes one generated operation from its traits: scopes, security, the idempotency header exactly where it is
 * honored, strictness of its body, and one shape for every error. gaps-1 A "Machine-readable description", A-IDEM-02
 */
export const describeOperation = (
  operation: ContractOperation,
  generated: OpenApi.OpenAPISpecOperation,
  schemas: Json
): Json => {
  const { method, operationId, path, traits } = operation
  const isPublic = !takesApiKey(traits)
  const parameters = [...generated.parameters.map(parameter), ...idempotencyHeader(operation)]
  const body = requestBody(operation, generated.requestBody, schemas)
  return {
    operationId,
    tags: generated.tags,
    ...defined({ summary: generated.summary, description: generated.description, deprecated: generated.deprecated }),
    "x-required-scopes": isPublic ? [] : traits.scopes,
    security: isPublic ? [] : [{ bearer: [] }],
    parameters,
    ...defined({ requestBody: body }),
    responses: { ...successes(operation, generated.responses), ...refusalResponses(operation) },
    "x-codeSamples": codeSamples({ operationId, method, path, isPublic, parameters, requestBody: body })
  }
}

// Numbers in a query are text to the server; the description shows the number.
const parameter = (generated: OpenApi.OpenAPISpecParameter): Json => {
  const { description, ...schema } = open(generated.schema) as Json
  const [example] = (schema.examples ?? []) as ReadonlyArray<unknown>
  const isNumber = schema.type === "string" && ("minimum" in schema || "maximum" in schema)
  return {
    ...generated,
    ...defined({ description, example: generated.in === "path" ? example : undefined }),
    schema: isNumber ? { ...schema, type: "integer" } : schema
  }
}

const idempotencyHeader = ({ traits }: ContractOperation): ReadonlyArray<Json> =>
  takesKey(traits)
    ? [
        {
          name: "idempotency-key",
          in: "header",
          required: traits.idempotency === "required",
          schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x20-\\x7e]+$" },
          description: "Replays the first answer for 24 hours instead of running the operation again.",
          example: "order-42-confirmation"
        }
      ]
    : []

const requestBody = (
  { bodyOptional, traits }: ContractOperation,
  generated: OpenApi.OpenAPISpecRequestBody | undefined,
  schemas: Json
): unknown => {
  if (generated === undefined) return undefined
  const described = (traits.strictBody === true ? generated : open(generated)) as OpenApi.OpenAPISpecRequestBody
  const content = Object.entries(described.content).map(([type, one]) => [
    type === "application/octet-stream" ? anyType : type,
    withExample(one.schema, schemas)
  ])
  return { content: Object.fromEntries(content), required: !bodyOptional }
}

/** Bytes are sent with the media type of what they are, which only the call before knows. */
const anyType = "*/*"

// Tools send the example of a media type; an example in a schema they only show.
const withExample = (schema: Json, schemas: Json): Json => {
  const { examples, ...shape } = schema
  const named = schemas[String(schema.$ref).split("/").at(-1) ?? ""] as Json | undefined
  const [example] = (examples ?? (named && examplesOf(named)) ?? []) as ReadonlyArray<unknown>
  return { schema: shape, ...defined({ example }) }
}

// The generator puts the annotations of an object without members into a part of its own.
const examplesOf = ({ allOf, examples }: Json): unknown =>
  examples ?? (allOf as ReadonlyArray<Json> | undefined)?.[0]?.examples

const successes = (operation: ContractOperation, generated: OpenApi.OpenAPISpecResponses): Json =>
  Object.fromEntries(
    Object.entries(generated)
      .filter(([status]) => Number(status) < 400)
      .map(([status, response]) => [
        status,
        {
          description: outcomes[status] ?? response.description,
          headers: {
            ...requestHeaders,
            ...(takesKey(operation.traits) ? header("svc-idempotent-replayed") : {}),
            ...(toldOfIgnored(operation) ? header("svc-ignored-fields") : {}),
            ...(operation.traits.warning === undefined ? {} : header("svc-warning"))
          },
          ...defined({ content: (open(response) as Json).content })
        }
      ])
  )

const toldOfIgnored = ({ takesBody, traits }: ContractOperation): boolean =>
  takesBody && traits.strictBody !== true && takesApiKey(traits)

const header = (name: string): Json => ({ [name]: { $ref: `#/components/headers/${name}` } })

const outcomes: Readonly<Record<string, string>> = { 200: "Done.", 201: "Created.", 202: "Taken, not yet done." }
