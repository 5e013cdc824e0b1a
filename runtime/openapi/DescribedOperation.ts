import type { OperationTraits } from "@carteiro/schema/conventions/Access.ts"
import type { OpenApi } from "effect/http-api"
import type { ContractOperation } from "./ContractOperation.ts"
import { type Json, open } from "./Json.ts"

/**
 * Completes one generated operation with what its traits say: scopes, security, the idempotency header exactly where it
 * is honored, strictness of its body, and one shape for every error. gaps-1 A "Machine-readable description", A-IDEM-02
 */
export const describeOperation = (operation: ContractOperation, generated: OpenApi.OpenAPISpecOperation): Json => {
  const { traits } = operation
  const isPublic = traits.authentication === "none"
  return {
    operationId: operation.operationId,
    tags: generated.tags,
    ...defined({ summary: generated.summary, description: generated.description, deprecated: generated.deprecated }),
    "x-required-scopes": isPublic ? [] : traits.scopes,
    security: isPublic ? [] : [{ bearer: [] }],
    parameters: [...generated.parameters.map(parameter), ...idempotencyHeader(operation)],
    ...defined({ requestBody: requestBody(operation, generated.requestBody) }),
    responses: responses(operation, generated.responses)
  }
}

const defined = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

// Numbers in a query are text to the server; a reader of the description is told the number.
const parameter = (generated: OpenApi.OpenAPISpecParameter): Json => {
  const schema = open(generated.schema) as Json
  const isNumber = schema.type === "string" && ("minimum" in schema || "maximum" in schema)
  return { ...generated, schema: isNumber ? { ...schema, type: "integer" } : schema }
}

const idempotencyHeader = ({ traits }: ContractOperation): ReadonlyArray<Json> =>
  takesKey(traits)
    ? [
        {
          name: "idempotency-key",
          in: "header",
          required: traits.idempotency === "required",
          schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x20-\\x7e]+$" },
          description: "Replays the first answer for 24 hours instead of running the operation again."
        }
      ]
    : []

const requestBody = (
  { bodyOptional, traits }: ContractOperation,
  generated: OpenApi.OpenAPISpecRequestBody | undefined
): unknown => {
  if (generated === undefined) return undefined
  const described = traits.strictBody === true ? generated : (open(generated) as Json)
  return { ...described, required: !bodyOptional }
}

const responses = ({ traits }: ContractOperation, generated: OpenApi.OpenAPISpecResponses): Json => {
  const described: Json = {}
  for (const [status, response] of Object.entries(generated)) {
    described[status] =
      Number(status) < 400
        ? { ...(open(response) as Json), description: outcomes[status] ?? response.description }
        : { ...error, description: response.description }
  }
  if (traits.authentication !== "none") {
    for (const [status, codes] of Object.entries(sharedCodes(traits))) {
      const own = (described[status] as Json | undefined)?.description
      const told = codes.filter((code) => !String(own ?? "").includes(code))
      described[status] = { ...error, description: [...(own === undefined ? [] : [own]), ...told].join(" | ") }
    }
  }
  described.default = { $ref: "#/components/responses/Error" }
  return described
}

const outcomes: Readonly<Record<string, string>> = { 200: "Done.", 201: "Created.", 202: "Taken, not yet done." }

/** What a route behind a key may answer besides its own codes. */
const sharedCodes = (traits: OperationTraits): Readonly<Record<string, ReadonlyArray<string>>> => ({
  ...(takesKey(traits) ? { 400: ["`invalid_idempotency_key`"] } : {}),
  401: ["`authentication_error`"],
  ...(traits.restrictedWithoutCredit === true ? { 402: ["`credit_balance_exhausted`"] } : {}),
  403: ["`insufficient_scope`", "`organization_suspended`"],
  404: ["`project_not_found`"],
  ...(takesKey(traits) ? { 409: ["`idempotency_key_conflict`", "`idempotency_key_in_progress`"] } : {}),
  429: ["`rate_limited`"]
})

const takesKey = ({ idempotency }: OperationTraits): boolean => idempotency !== undefined && idempotency !== "none"

const error = { content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } }
