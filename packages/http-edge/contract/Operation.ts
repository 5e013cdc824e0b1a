import { Traits } from "@carteiro/schema/conventions/Access.ts"
import { Context, Schema } from "effect"
import { type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { bodyDecoder, type Decoder, fieldsOf, isRefusal, paramsDecoder, sliceDecoder } from "../decoding/Decoder.ts"
import { ignoredFieldsOf } from "../decoding/IgnoredFields.ts"
import { queryReader } from "../decoding/QueryString.ts"
import { Authenticated, type Entrance, entranceOf } from "./Entrance.ts"
import type { Operation } from "./Route.ts"
import { defaultBodyLimit } from "./Route.ts"

/**
 * Returns the name of an operation: its own, or its endpoint's below the name of the group. Clients mirror the dots, as
 * in `phoneNumbers.orders.create`; metrics and logs show it.
 */
export const operationIdOf = (group: HttpApiGroup.Constraint, endpoint: HttpApiEndpoint.Top): string =>
  Context.getOrUndefined(endpoint.annotations, OpenApi.Identifier) ??
  `${Context.getOrUndefined((group as HttpApiGroup.Top).annotations, OpenApi.Identifier) ?? group.identifier}.${endpoint.identifier}`

/**
 * Compiles one endpoint with its handler. An endpoint without `Traits`, or with a payload that is neither JSON nor
 * bytes, is a programming error and stops the start.
 */
export const compileOperation = (
  group: HttpApiGroup.Constraint,
  endpoint: HttpApiEndpoint.Top,
  handler: Parameters<typeof entranceOf>[0],
  context: Context.Context<never>
): Operation => {
  const operation = operationIdOf(group, endpoint)
  const compiled = compiledEndpoints.get(endpoint) ?? compileEndpoint(operation, endpoint)
  compiledEndpoints.set(endpoint, compiled)
  return {
    kind: "operation",
    operation,
    ...compiled,
    check: undefined,
    checkForCaller: undefined,
    entrance: entranceOf(handler, entranceBy(operation, compiled.traits, handler)),
    context
  }
}

/** Holds the decoders of each endpoint: they depend only on its declaration, so products of one process share them. */
const compiledEndpoints = new WeakMap<HttpApiEndpoint.Top, ReturnType<typeof compileEndpoint>>()

const compileEndpoint = (operation: string, endpoint: HttpApiEndpoint.Top) => {
  const traits = Context.getOrUndefined(endpoint.annotations as Context.Context<Traits>, Traits)
  if (traits === undefined) throw new Error(`Operation ${operation} has no Traits`)
  const body = bodyOf(operation, endpoint)
  const decodeBody = body.schema === undefined ? ignoreBody : bodyDecoder(body.schema, strictness(traits))
  return {
    method: endpoint.method,
    path: endpoint.path,
    traits,
    maxBodyBytes: traits.maxBodyBytes ?? defaultBodyLimit,
    isCounted: traits.longPoll !== true,
    mayLag: endpoint.method === "GET" && (traits.mayLag ?? isList(endpoint)),
    body: body.kind,
    decodeBody,
    decodeInSlices: body.schema === undefined ? undefined : sliceDecoder(body.schema, strictness(traits)),
    bodyFields: body.schema === undefined ? [] : fieldsOf(body.schema),
    ignoredFields: body.schema === undefined || !tellsIgnored(traits) ? undefined : ignoredFieldsOf(body.schema),
    emptyBody: body.schema === undefined ? undefined : accepted(decodeBody({})),
    readQuery: queryReader(endpoint.query, { code: traits.validation, strict: traits.strictQuery === true }),
    decodeParams: endpoint.params === undefined ? undefined : paramsDecoder(endpoint.params)
  }
}

/** A page of a list is known by its parameters. */
const isList = ({ query }: HttpApiEndpoint.Top): boolean => {
  const fields = query === undefined ? [] : fieldsOf(query)
  return fields.includes("limit") && (fields.includes("starting_after") || fields.includes("after"))
}

const tellsIgnored = (traits: Traits["Service"]): boolean =>
  traits.strictBody !== true && traits.authentication !== "none"

/**
 * Returns the entrance of a route. Traits and a handler that disagree about admission are a programming error and stop
 * the start.
 */
const entranceBy = (
  operation: string,
  { authentication = "key" }: Traits["Service"],
  handler: Parameters<typeof entranceOf>[0]
): Entrance["by"] => {
  if ((authentication === "own") !== handler instanceof Authenticated) {
    throw new Error(`Operation ${operation}: \`authentication: "own"\` and \`Routes.authenticated\` go together`)
  }
  if (authentication === "own") return "itself"
  return authentication === "none" ? "nobody" : authentication
}

const strictness = (traits: Traits["Service"]) => ({ code: traits.validation, strict: traits.strictBody === true })

const accepted = (decoded: unknown): unknown => (isRefusal(decoded) ? undefined : decoded)

const ignoreBody: Decoder = () => undefined

const bodyOf = (
  operation: string,
  endpoint: HttpApiEndpoint.Top
): { readonly kind: Operation["body"]; readonly schema?: Schema.Top } => {
  const payloads = [...endpoint.payload.values()]
  if (payloads.length === 0) return { kind: "none" }
  if (payloads.every(({ encoding }) => encoding._tag === "Uint8Array")) return { kind: "bytes" }
  if (!payloads.every(({ encoding }) => encoding._tag === "Json")) {
    throw new Error(`Operation ${operation}: a payload must be a Schema.Struct (JSON) or bytes`)
  }
  const schemas = payloads.flatMap(({ schemas }) => schemas)
  return { kind: "json", schema: schemas.length === 1 ? (schemas[0] as Schema.Top) : Schema.Union(schemas) }
}
