import { atOnce, type Slices, sliceLength } from "@carteiro/owners/Slices.ts"
import { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { SchemaIssue } from "effect"
import { Exit, type Schema, SchemaAST, SchemaParser } from "effect"
import { findNearest } from "../json/Nearest.ts"
import { boundedLists, type LongList, longListOf } from "./BoundedLists.ts"
import { fieldsAt, listed, suggest } from "./Expectation.ts"
import { contractError } from "./HttpException.ts"
import { boundedUnknown } from "./IgnoredFields.ts"
import { errorCodeAt, firstViolation, memberOf, missingCodeAt, schemasAt, type Violation } from "./Violation.ts"

/** Returns the typed value of a parsed input, or the refusal that names the first offender. */
export type Decoder = (input: unknown) => unknown

/** The route and the part of the request that a decoder's refusals are about. */
export interface DecoderOptions {
  /** The route's validation code. gaps-1 A "Validation code of each route" */
  readonly code: string
  /** True when undeclared members are refused. gaps-1 A "Unknown body fields" */
  readonly strict: boolean
}

/**
 * Builds the decoder of a body once per route. A valid input is decoded once. An invalid one is decoded again with
 * every error, so that the reported field is the first of the contract and not the first found. Neither pass checks
 * more items of a list than the contract allows, and the second checks only some of the unknown members: a body of a
 * million faults costs little more than one of a hundred.
 */
export const bodyDecoder = (schema: Schema.Top, options: DecoderOptions): Decoder => {
  const whole = wholeDecoder(schema, options)
  const inSlices = sliceDecoder(schema, options)
  return inSlices === undefined ? whole : (input) => atOnce(inSlices(input))
}

const wholeDecoder = (schema: Schema.Top, options: DecoderOptions): Decoder => {
  const decode = decodeTexts(decodeWith(schema, options.strict))
  const boundLists = boundedLists(schema)
  const boundUnknown = boundedUnknown(schema)
  return (input) => {
    if (!isObject(input)) return noObject(options)
    const { exit, read } = decode(boundLists(input))
    return exit._tag === "Success" ? exit.value : explain(schema, options, boundUnknown(read), "field")
  }
}

/** Decodes an input, and one that is refused once more with line feeds for the line ends of its texts. */
const decodeTexts = (decode: ReturnType<typeof decodeWith>) => (input: unknown) => {
  const exit = decode(input)
  const read = exit._tag === "Success" ? input : withLineFeeds(input)
  return { exit: read === input ? exit : decode(read), read }
}

const isObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === "object" && input !== null && !Array.isArray(input)

const noObject = (options: DecoderOptions) => contractError(options.code, "The request body must be a JSON object.")

/** A decoder that works part by part. */
export type SliceDecoder = (input: unknown) => Slices<unknown>

/**
 * Returns the decoder of a body with a list of thousands: it decodes the body with the first items, then the other
 * items part by part. Its refusals equal those of decoding all at once; undefined for a body without such a list.
 */
export const sliceDecoder = (schema: Schema.Top, options: DecoderOptions): SliceDecoder | undefined => {
  const list = longListOf(schema)
  if (list === undefined) return undefined
  const decodeBeginning = wholeDecoder(schema, options)
  const boundUnknown = boundedUnknown(schema)
  const decodeItems = decodeTexts(decodeWith(list.items, options.strict))
  const fields = fieldsOf(schema)
  const place = fields.indexOf(list.name)
  return function* (input) {
    const items = isObject(input) && Object.hasOwn(input, list.name) ? input[list.name] : undefined
    if (!isObject(input) || !Array.isArray(items) || items.length <= sliceLength) return decodeBeginning(input)
    const withItems = (some: ReadonlyArray<unknown>) => ({ ...input, [list.name]: some })
    const beginning = decodeBeginning(withItems(items.slice(0, sliceLength)))
    if (isRefusal(beginning) && isBehind(beginning, fields, place, list) === false) return beginning
    const decoded: Array<unknown> = []
    const length = Math.min(items.length, list.most + 1)
    for (let from = sliceLength; from < length; from += sliceLength) {
      yield undefined
      const { exit, read } = decodeItems(items.slice(from, Math.min(from + sliceLength, length)))
      if (exit._tag === "Success") decoded.push(...(exit.value as ReadonlyArray<unknown>))
      else {
        const some = withItems(read as ReadonlyArray<unknown>)
        return explain(schema, options, boundUnknown(some), "field", { list: list.name, from })
      }
    }
    if (isRefusal(beginning)) return beginning
    if (items.length > list.most) return explain(list.bound, options, withItems(items), "field")
    const body = beginning as Readonly<Record<string, unknown>>
    return { ...body, [list.name]: [...(body[list.name] as ReadonlyArray<unknown>), ...decoded] }
  }
}

/** True when a refusal concerns a member after the list, so that an item of the list may be refused before it. */
const isBehind = ({ param }: ApiError, fields: ReadonlyArray<string>, place: number, { name }: LongList): boolean => {
  const field = param?.split(".", 1)[0] ?? ""
  return field === name ? param === name : fields.indexOf(field) > place || !fields.includes(field)
}

/** Builds the decoder of a query record; `index` of the offender orders it among the query's own rules. */
export const queryDecoder = (schema: Schema.Top, options: DecoderOptions): Decoder => {
  const decode = decodeWith(schema, false)
  return (input) => {
    const exit = decode(input)
    return exit._tag === "Success" ? exit.value : explain(schema, { ...options, strict: false }, input, "parameter")
  }
}

/** Builds the decoder of path parameters; `undefined` means that the path names no resource. */
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

/** True when a decoder returned a refusal. */
export const isRefusal = (decoded: unknown): decoded is ApiError => decoded instanceof ApiError

const decodeWith = (
  schema: Schema.Top,
  strict: boolean
): ((input: unknown, options?: SchemaAST.ParseOptions) => Exit.Exit<unknown, SchemaIssue.Issue>) =>
  // Schemas of the contract decode without services; their erased type cannot express it.
  SchemaParser.decodeUnknownExit(
    schema as Schema.Top & { readonly DecodingServices: never },
    strict ? { onExcessProperty: "error" } : undefined
  )

/** The position of the explained items in their list. */
interface Offset {
  readonly list: string
  readonly from: number
}

const explain = (
  schema: Schema.Top,
  options: DecoderOptions,
  input: unknown,
  noun: string,
  offset?: Offset
): ApiError => {
  const exit = decodeWith(schema, options.strict)(input, { errors: "all" })
  if (Exit.isSuccess(exit)) return contractError(options.code, "The request does not match the contract.")
  const reason = exit.cause.reasons.find((one) => one._tag === "Fail")
  // A schema that throws is a programming error, not the caller's.
  if (reason === undefined) throw new Error("A contract schema died while decoding", { cause: exit.cause })
  const violation = firstViolation(reason.error, input)
  const param = violation.path.length === 0 ? undefined : pathText(violation.path, offset)
  const code = codeFor(schema.ast, violation)
  const known = violation.kind === "wrong" ? [] : fieldsAt(schemasAt(schema.ast, violation.path.slice(0, -1)))
  const misspelt = violation.kind === "missing" && isMisspelt(violation, input, known)
  return contractError(code ?? options.code, sentence(violation, param, noun, known, misspelt), param)
}

const codeFor = (ast: SchemaAST.AST, { kind, path }: Violation): string | undefined => {
  if (kind === "unknown") return undefined
  return kind === "wrong" ? errorCodeAt(ast, path) : missingCodeAt(ast, path)
}

const pathText = ([first, second, ...rest]: ReadonlyArray<PropertyKey>, offset: Offset | undefined): string => {
  const moved = offset !== undefined && first === offset.list && typeof second === "number"
  const path = second === undefined ? [first] : [first, moved ? second + offset.from : second, ...rest]
  return path.map(String).join(".")
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

/** True when a missing member was sent under a nearly equal name. */
const isMisspelt = ({ path }: Violation, input: unknown, known: ReadonlyArray<string>): boolean => {
  const holder = path.slice(0, -1).reduce(memberOf, input)
  if (typeof holder !== "object" || holder === null) return false
  const unknown = Object.keys(holder).filter((name) => !known.includes(name))
  return findNearest(String(path.at(-1)), unknown.slice(0, mostCompared)) !== undefined
}

const mostCompared = 100

const listKnown = (noun: string, known: ReadonlyArray<string>): string =>
  known.length === 0 ? "" : ` Known ${noun}s here: ${listed(known)}.`

// Unknown names come from the caller and may be megabytes long.
const clipped = (text: string): string => (text.length > 128 ? `${text.slice(0, 128)}…` : text)

/** Members whose content is the caller's own, down to its line ends. */
const callersOwn: ReadonlySet<string> = new Set(["metadata"])

/**
 * Returns a body whose texts end their lines by a line feed, as programs on Windows and forms of browsers do not; the body itself
 * when none of its texts has another line end.
 */
const withLineFeeds = (value: unknown): unknown => {
  if (typeof value === "string") return value.includes("\r\n") ? value.replaceAll("\r\n", "\n") : value
  if (typeof value !== "object" || value === null) return value
  let copy: Record<string, unknown> | undefined
  for (const [name, member] of Object.entries(value)) {
    const plain = callersOwn.has(name) ? member : withLineFeeds(member)
    if (plain === member) continue
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
    copy[name] = plain
  }
  return copy ?? value
}
