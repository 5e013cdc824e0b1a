import { RequestWarning } from "@carteiro/schema/conventions/Access.ts"
import { ErrorEnvelope } from "@carteiro/schema/conventions/ApiError.ts"
import type { AnyEvent } from "@carteiro/schema/conventions/Event.ts"
import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { type ContractOperation, operationsOf } from "./ContractOperation.ts"
import { describeOperation } from "./DescribedOperation.ts"
import { type Json, open, renamed } from "./Json.ts"
import { exampleOf, knownRefusals, requestHeaders, retryAfter, sharedResponses } from "./Refusals.ts"
import { rendered } from "./SchemaRendering.ts"
import { withSharedResponses } from "./SharedResponses.ts"
import { withTaggedUnions } from "./TaggedUnions.ts"
import { envelopesOf, webhooksOf } from "./Webhooks.ts"

/**
 * Returns the description of a contract: OpenAPI 3.1 with relative servers, one bearer scheme, one error component,
 * required scopes and idempotency headers. gaps-1 A "Machine-readable description", A-VER-02
 */
export const describe = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  events: ReadonlyArray<AnyEvent>
): Json =>
  complete(
    OpenApi.fromApi(api.annotate(HttpApi.AdditionalSchemas, [ErrorEnvelope, ...envelopesOf(events)]), kept),
    operationsOf(api),
    events
  )

/** The annotations of schemas that the description keeps besides those of JSON Schema. */
const kept: OpenApi.FromApiOptions = { includeAnnotationKey: (key) => key === "variants" || key.startsWith("x-") }

const complete = (
  spec: OpenApi.OpenAPISpec,
  operations: ReadonlyArray<ContractOperation>,
  events: ReadonlyArray<AnyEvent>
): Json => {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const item = spec.paths[operation.path] as unknown as Record<string, OpenApi.OpenAPISpecOperation>
    const described = item[operation.method]
    if (described === undefined) throw new Error(`${operation.operationId} is not described`)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: describeOperation(operation, described, spec.components.schemas as Json)
    }
  }
  const refusals = knownRefusals(operations)
  const whole = {
    openapi: spec.openapi,
    info: {
      ...spec.info,
      contact: { name: "Whoever operates this deployment; see POST /v1/feedback" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      version: "1.0.0",
      summary: "Messaging, consent, payments and signed webhooks for one tenant."
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: spec.tags,
    paths: Object.fromEntries(concreteFirst(Object.entries(paths))),
    webhooks: webhooksOf(events),
    components: {
      schemas: componentsOf(spec.components.schemas as Json, [...refusals.keys()]),
      responses: {
        ...sharedResponses(),
        Error: {
          description: "A refusal or a fault; `error.code` says which.",
          headers: { ...requestHeaders, ...retryAfter },
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } }
        }
      },
      headers,
      examples: Object.fromEntries([...refusals].map(([code, refusal]) => [code, exampleOf(refusal)])),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key, bound to one project and environment." }
      }
    }
  }
  return withSharedResponses(withTaggedUnions(rendered(renamed(whole)) as Json))
}

/**
 * Returns paths in their order, but for concrete ones, which come before a template that takes them too: some tools choose the first
 * that fits.
 */
const concreteFirst = (paths: ReadonlyArray<readonly [path: string, item: Json]>): typeof paths => {
  const ordered: Array<readonly [path: string, item: Json]> = []
  for (const one of paths) {
    const at = ordered.findIndex(([path]) => isCovered(one[0], path))
    ordered.splice(at < 0 ? ordered.length : at, 0, one)
  }
  return ordered
}

/** True when a template takes every text of a path that is more concrete. */
const isCovered = (path: string, template: string): boolean => {
  const [own, general] = [path.split("/"), template.split("/")]
  return own.length === general.length && general.every((segment, at) => segment.startsWith("{") || segment === own[at])
}

const headers: Json = {
  "svc-request-id": { schema: { type: "string" }, description: "Identifies this request." },
  "svc-trace-id": { schema: { type: "string" }, description: "The trace sent with the request, or a new one." },
  "svc-idempotent-replayed": {
    schema: { type: "string", enum: ["true"] },
    description: "There when the answer is the first one under this idempotency key, told again."
  },
  "svc-ignored-fields": {
    schema: { type: "string" },
    description:
      "Members of the body that the contract does not know and that were ignored, percent-encoded, at most 1,024 characters."
  },
  "svc-warning": {
    schema: { type: "string", "x-known-values": RequestWarning.literals },
    description:
      "There when the request was taken although something in it is odd. invalid_phone_number: no country has the number. tax_id_check_digits: the last two digits of the tax id do not fit the others. Replays leave it out. New values may appear."
  },
  "Retry-After": { schema: { type: "integer", minimum: 1 }, description: "Seconds to wait before the next try." }
}

// Every refusal shares one envelope; the generator numbers a copy for each.
const copyOfError = /^Error_\d+$/

const componentsOf = (schemas: Json, codes: ReadonlyArray<string>): Json => {
  const found: Json = {}
  for (const name of Object.keys(schemas).sort()) {
    if (!copyOfError.test(name)) found[name] = open(schemas[name])
  }
  found.Error = { ...(found.Error as Json), description: "The body of every refusal and of every fault." }
  found.ErrorCode = { ...(found.ErrorCode as Json), "x-known-codes": codes }
  return found
}
