import { bodySchema, type DescribedOperation, description } from "./Described.ts"
import { type JsonSchema, ofTag, resolved } from "./JsonSchema.ts"

/** A body that breaks the contract, and what its refusal must say. */
export interface BadBody {
  readonly name: string
  /** Sent as it is when it is text or bytes. */
  readonly body: unknown
  /** The framework's refusal instead of the route's own. A-ERR-22 */
  readonly framework?: boolean
  /** `error.param` is this path or lies beneath it; absent means that there must be none. */
  readonly param?: string
}

const definitions = description.components.schemas

type Path = ReadonlyArray<string>

/** The schema of a value without its null, and whether it had one. */
const ofValue = (schema: JsonSchema, value: unknown): { readonly schema: JsonSchema; readonly nullable: boolean } => {
  const found = resolved(ofTag(schema, value, definitions), definitions)
  if (Array.isArray(found.type) && found.type.includes("null")) return { schema: found, nullable: true }
  const members = (found.anyOf ?? []).map((one) => resolved(one, definitions))
  const rest = members.filter((one) => one.type !== "null")
  if (rest.length === 0) return { schema: found, nullable: false }
  const nullable = rest.length < members.length
  return { schema: rest.length === 1 && rest[0] !== undefined ? { ...found, ...rest[0] } : found, nullable }
}

const memberAt = (value: unknown, key: string): unknown => (value as Readonly<Record<string, unknown>>)[key]

/** A copy of the example with another value at a path; `undefined` leaves the member out. */
const withValue = (example: unknown, [key, ...rest]: Path, value: unknown): unknown => {
  if (key === undefined) return value
  if (Array.isArray(example)) return example.map((item, n) => (String(n) === key ? withValue(item, rest, value) : item))
  return { ...(example as object), [key]: withValue(memberAt(example, key), rest, value) }
}

const ofEveryType: ReadonlyArray<readonly [string, unknown]> = [
  ["boolean", true],
  ["number", 1.5],
  ["string", "some text"],
  ["array", []],
  ["object", { surplus: true }]
]

const fits = (schema: JsonSchema, type: string): boolean => {
  const types = [schema.type ?? (schema.anyOf ?? []).map((one) => resolved(one, definitions).type)].flat(2)
  if (schema.enum !== undefined || schema.const !== undefined) return false
  return types.length === 0 || types.includes(undefined) || types.includes(type)
}

const outOfBounds = (schema: JsonSchema, value: unknown): ReadonlyArray<readonly [string, unknown]> => {
  const found: Array<readonly [string, unknown]> = []
  const { enum: literals, maxItems, maxLength, maximum, minItems, minLength, minimum } = schema
  if (minLength !== undefined) found.push([`shorter than ${minLength}`, "x".repeat(minLength - 1)])
  if (maxLength !== undefined) found.push([`longer than ${maxLength}`, "x".repeat(maxLength + 1)])
  if (minimum !== undefined) found.push([`below ${minimum}`, minimum - 1])
  if (maximum !== undefined) found.push([`above ${maximum}`, maximum + 1])
  if (minItems !== undefined) found.push([`fewer than ${minItems} items`, new Array(minItems - 1).fill("x")])
  if (maxItems !== undefined && Array.isArray(value)) {
    found.push([`more than ${maxItems} items`, new Array(maxItems + 1).fill(value[0])])
  }
  if (literals !== undefined) {
    for (const other of ["", "other", String(literals[0]).toUpperCase(), ` ${literals[0]}`]) {
      if (literals.includes(other)) continue
      found.push([`not of the enumeration (${JSON.stringify(other)})`, other])
    }
  }
  return found
}

// A number that no double holds parses to infinity; JSON.stringify could not write it.
const huge = "huge-number-here"

const mutationsOf = (schema: JsonSchema, example: unknown, path: Path, required: boolean): ReadonlyArray<BadBody> => {
  const value = path.reduce(memberAt, example)
  const { nullable, schema: own } = ofValue(schema, value)
  const param = path.join(".")
  const broken = (name: string, bad: unknown): BadBody => ({
    name: `${param} ${name}`,
    body: withValue(example, path, bad),
    param
  })
  const found: Array<BadBody> = []
  for (const [type, bad] of ofEveryType) if (!fits(own, type)) found.push(broken(`is a ${type}`, bad))
  if (required) found.push(broken("is missing", undefined))
  if (required && !nullable) found.push(broken("is null", null))
  for (const [name, bad] of outOfBounds(own, value)) found.push(broken(name, bad))
  if (!fits(own, "number")) {
    const text = JSON.stringify(withValue(example, path, huge)).replace(`"${huge}"`, "1e400")
    found.push({ name: `${param} is a huge number`, body: text, param })
  }
  if (Array.isArray(value) && own.items) {
    for (const [n] of value.entries()) found.push(...mutationsOf(own.items, example, [...path, String(n)], false))
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(own.properties ?? {})) {
      if (name in value)
        found.push(...mutationsOf(member, example, [...path, name], (own.required ?? []).includes(name)))
    }
    if (own.additionalProperties === false) {
      found.push({ ...broken("has a surplus field", { ...value, surplus: 1 }), param: [...path, "surplus"].join(".") })
    }
  }
  return found
}

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`

/** Members of a body that its description names: each can be broken at least one way. */
export const membersOf = (one: DescribedOperation, example: object): ReadonlyArray<string> => {
  const schema = bodySchema(one)
  const { properties = {} } = schema === undefined ? {} : ofValue(schema, example).schema
  return Object.keys(properties).filter((name) => name in example)
}

/** Every way to break an operation's body that its description tells, starting from a valid one. */
export const badBodies = (one: DescribedOperation, example: object): ReadonlyArray<BadBody> => {
  const schema = bodySchema(one)
  if (schema === undefined) return []
  const whole = JSON.stringify(example)
  const framework = (name: string, body: unknown): BadBody => ({ name, body, framework: true })
  return [
    ...["[]", `[${whole}]`, '"text"', "5", "null", "true"].map((body) => ({ name: `is ${body.slice(0, 20)}`, body })),
    framework("is cut off", whole.slice(0, -1)),
    framework("ends in a comma", `${whole.slice(0, -1)},}`),
    framework("is two objects", `${whole}${whole}`),
    framework(
      "is not UTF-8",
      Buffer.concat([Buffer.from(`${whole.slice(0, -1)},"x":"`), Buffer.from([0xc3, 0x28, 0x22, 0x7d])])
    ),
    framework("has a bare control character", `${whole.slice(0, -1)},"x":"\u0001"}`),
    framework("nests 64 levels deep", `${whole.slice(0, -1)},"x":${nested(64)}}`),
    framework("nests 10,000 arrays deep", "[".repeat(10_000)),
    ...(resolved(schema, definitions).additionalProperties === false
      ? ["surplus", "🙂", "__proto__", "constructor", "\u202e", "a\u0000b"].map((name) => ({
          name: `has the surplus field ${JSON.stringify(name)}`,
          body: `${whole.slice(0, -1)}${whole === "{}" ? "" : ","}${JSON.stringify(name)}:1}`,
          param: name
        }))
      : []),
    ...mutationsOf(schema, example, [], false).filter(({ name }) => !name.startsWith(" "))
  ]
}
