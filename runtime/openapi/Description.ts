import { ErrorEnvelope } from "@carteiro/schema/conventions/ApiError.ts"
import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { type ContractOperation, operationsOf } from "./ContractOperation.ts"
import { describeOperation } from "./DescribedOperation.ts"
import { type Json, open, plain, renamed } from "./Json.ts"
import { type EventDescription, webhooksOf } from "./Webhooks.ts"

/**
 * The contract annotated so that every reader of it (the file, the reference page) gets the same description: OpenAPI
 * 3.1 with relative servers, one bearer scheme, one error component, required scopes and idempotency headers.
 * gaps-1 A "Machine-readable description", A-VER-02
 */
export const described = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  events: ReadonlyArray<EventDescription>
): HttpApi.HttpApi<Id, Groups> =>
  api
    .annotate(HttpApi.AdditionalSchemas, [ErrorEnvelope])
    .annotate(OpenApi.Transform, (spec) => complete(spec as unknown as OpenApi.OpenAPISpec, operationsOf(api), events))

/** The description itself. */
export const describe = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  events: ReadonlyArray<EventDescription>
): Json => OpenApi.fromApi(described(api, events)) as unknown as Json

const complete = (
  spec: OpenApi.OpenAPISpec,
  operations: ReadonlyArray<ContractOperation>,
  events: ReadonlyArray<EventDescription>
): Json => {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const item = spec.paths[operation.path] as unknown as Record<string, OpenApi.OpenAPISpecOperation>
    const described = item[operation.method]
    if (described === undefined) throw new Error(`${operation.operationId} is not described`)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: describeOperation(operation, described)
    }
  }
  const whole = plain({
    openapi: spec.openapi,
    info: {
      ...spec.info,
      contact: { name: "Whoever operates this deployment; see POST /v1/feedback" },
      version: "1.0.0",
      summary: "Messaging, consent, payments and signed webhooks for one tenant."
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: spec.tags,
    paths,
    webhooks: webhooksOf(events),
    components: {
      schemas: componentsOf(spec.components.schemas as Json),
      responses: {
        Error: {
          description: "A refusal or a fault; `error.code` says which.",
          headers: {
            "svc-request-id": { schema: { type: "string" } },
            "svc-trace-id": { schema: { type: "string" } },
            "Retry-After": { schema: { type: "integer", minimum: 1 }, description: "Seconds, where a delay is known." }
          },
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } }
        }
      },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key, bound to one project and environment." }
      }
    }
  }) as Json
  return renamed(whole)
}

// Every refusal shares one envelope; the generator numbers a copy for each.
const copyOfError = /^Error_\d+$/

const componentsOf = (schemas: Json): Json => {
  const kept: Json = {}
  for (const name of Object.keys(schemas).sort()) {
    if (!copyOfError.test(name)) kept[name] = open(schemas[name])
  }
  const { description: _, ...envelope } = kept.Error as Json
  kept.Error = { ...envelope, description: "The error envelope." }
  return kept
}
