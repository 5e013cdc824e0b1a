import { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { SchemaIssue } from "effect"
import { Exit, type Schema, SchemaAST, SchemaParser } from "effect"
import { boundedLists } from "./BoundedLists.ts"
import { fieldsAt, listed, suggest } from "./Expectation.ts"
import { contractError } from "./HttpException.ts"
import { boundedUnknown } from "./IgnoredFields.ts"
import { findNearest } from "./Nearest.ts"
import { errorCodeAt, firstViolation, memberOf, schemasAt, type Violation } from "./Violation.ts"

/** Turns a parsed input into the typed value, or into the refusal that names the first offender. */
export type Decoder = (input: unknown) => unknown

/** What a refusal needs to know about the route and the part of the request it decodes. */
export interface DecoderOptions {
  /** The route's validation code. gaps-1 A "Validation code of each route" */
  readonly code: string
  /** Whether undeclared members are refused. gaps-1 A "Unknown body fields" */
  readonly strict: boolean
}

/**
 * Builds the decoder of a body once per route. A good input is decoded once, stopping nowhere; a bad one is decoded
 * again with every error, so that the reported field is the first of the contract and not the first found. Neither looks
 * at more items of a list than the contract allows, nor the second at more than some unknown members: a body of a million
 * faults costs little more than one of a hundred.
 */
export const bodyDecoder = (schema: Schema.Top, options: DecoderOptions): Decoder => {
  const decode = decodeWith(schema, options.strict)
  const boundLists = boundedLists(schema)
  const boundUnknown = boundedUnknown(schema)
  return (input) => {
    if (typeof input !== "object" || input === null || Array.isArray(input)) {
      return contractError(options.code, "The request body must be a JSON object.")
    }
    const bounded = boundLists(input)
    const exit = decode(bounded)
    return exit._tag === "Success" ? exit.value : explain(schema, options, boundUnknown(bounded), "field")
  }
}

/** Builds the decoder of a query record; `index` of the offender lets the query's own rules be ordered with it. */
export const queryDecoder = (schema: Schema.Top, options: DecoderOptions): Decoder => {
  const decode = decodeWith(schema, false)
  return (input) => {
    const exit = decode(input)
    return exit._tag === "Success" ? exit.value : explain(schema, { ...options, strict: false }, input, "parameter")
  }
}

/** Decodes path parameters; `undefined` means that the path names nothing. */
export const paramsDecoder = (schema: Schema.Top): Decoder => {
  const decode = decodeWith(schema, false)
  return (input) => {
    const exit = decode(input)
    return exit._tag === "Success" ? exit.value : undefined
  }
}

/** The names of an object's members, in the order of the contract. */
export const fieldsOf = (schema: Schema.Top): ReadonlyArray<string> => {
  const encoded = SchemaAST.toEncoded(schema.ast)
  return encoded._tag === "Objects" ? encoded.propertySignatures.map(({ name }) => String(name)) : []
}

/** Narrows what a decoder gave. */
export const isRefusal = (decoded: unknown): decoded is ApiError => decoded instanceof ApiError

const decodeWith = (
  schema: Schema.Top,
  strict: boolean
): ((input: unknown, options?: SchemaAST.ParseOptions) => Exit.Exit<unknown, SchemaIssue.Issue>) =>
  // Schemas of the contract decode without services; their erased type cannot say so.
  SchemaParser.decodeUnknownExit(
    schema as Schema.Top & { readonly DecodingServices: never },
    strict ? { onExcessProperty: "error" } : undefined
  )

const explain = (schema: Schema.Top, options: DecoderOptions, input: unknown, noun: string): ApiError => {
  const exit = decodeWith(schema, options.strict)(input, { errors: "all" })
  if (Exit.isSuccess(exit)) return contractError(options.code, "The request does not match the contract.")
  const reason = exit.cause.reasons.find((one) => one._tag === "Fail")
  // A schema that throws is a fault of ours, not of the caller.
  if (reason === undefined) throw new Error("A contract schema died while decoding", { cause: exit.cause })
  const violation = firstViolation(reason.error, input)
  const param = violation.path.length === 0 ? undefined : violation.path.map(String).join(".")
  const code = violation.kind === "wrong" ? errorCodeAt(schema.ast, violation.path) : undefined
  const known = violation.kind === "wrong" ? [] : fieldsAt(schemasAt(schema.ast, violation.path.slice(0, -1)))
  const misspelt = violation.kind === "missing" && isMisspelt(violation, input, known)
  return contractError(code ?? options.code, sentence(violation, param, noun, known, misspelt), param)
}

const sentence = (
  violation: Violation,
  param: string | undefined,
  noun: string,
  known: ReadonlyArray<string>,
  misspelt: boolean
): string => {
  const name = param === undefined ? "The request body" : `\`${clipped(param)}\``
  switch (violation.kind) {
    case "missing":
      return `${name} is required.${misspelt ? ` A ${noun} with a similar name was sent: check its spelling.` : ""}`
    case "unknown":
      return `${name} is not a known ${noun}.${suggest(violation.path.at(-1), known) || listKnown(noun, known)}`
    case "wrong":
      return `${name}: ${violation.expected.charAt(0).toLowerCase()}${violation.expected.slice(1)}.${violation.suggestion}`
  }
}

/** Whether a missing member was sent under a name that is nearly its own. */
const isMisspelt = ({ path }: Violation, input: unknown, known: ReadonlyArray<string>): boolean => {
  const holder = path.slice(0, -1).reduce(memberOf, input)
  if (typeof holder !== "object" || holder === null) return false
  const unknown = Object.keys(holder).filter((name) => !known.includes(name))
  return findNearest(String(path.at(-1)), unknown.slice(0, mostCompared)) !== undefined
}

const mostCompared = 100

const listKnown = (noun: string, known: ReadonlyArray<string>): string =>
  known.length === 0 ? "" : ` Known ${noun}s here: ${listed(known)}.`

// Unknown names come from the caller and may be megabytes.
const clipped = (text: string): string => (text.length > 128 ? `${text.slice(0, 128)}…` : text)
