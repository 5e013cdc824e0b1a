import fc from "fast-check"
import { bodySchema, type DescribedOperation, description } from "./Described.ts"
import { type JsonSchema, resolved } from "./JsonSchema.ts"

/** A request made from the description, valid or nearly so. */
export interface GeneratedRequest {
  readonly operation: DescribedOperation
  readonly ids: Readonly<Record<string, string>>
  readonly search: string
  readonly body: unknown
}

const definitions = description.components.schemas

/** Texts that have broken programs before. */
const nasty = fc.constantFrom(
  "",
  " ",
  "\u0000",
  "\ud800",
  "🙂",
  "\u202e",
  "null",
  "true",
  "-1",
  "1e400",
  "'; drop table messages; --",
  "{{7*7}}",
  "../../etc/passwd",
  "%00",
  "__proto__",
  "x".repeat(5000)
)

const anyText = fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), nasty)

// Made once: each making lays out a table of every character.
const anyLink = fc.oneof(fc.webUrl({ validSchemes: ["https"] }), fc.webUrl(), anyText)

/** Values of a schema: text that looks like an id, a phone or an instant is made as such now and then. */
const valuesOf = (schema: JsonSchema, ids: ReadonlyArray<string>, name: string): fc.Arbitrary<unknown> => {
  const found = resolved(schema, definitions)
  const inner = (one: JsonSchema, called = name) => valuesOf(one, ids, called)
  if (found.const !== undefined) return fc.constant(found.const)
  if (found.enum !== undefined) return fc.constantFrom(...found.enum)
  const some = found.anyOf ?? found.oneOf
  if (some !== undefined) return fc.oneof(...some.map((one) => inner(one)))
  const [type, orNull] = [found.type].flat()
  if (type !== undefined && orNull === "null") return fc.oneof(inner({ ...found, type }), fc.constant(null))
  switch (type) {
    case "object": {
      const members = Object.entries(found.properties ?? {}).map(([key, member]) => [key, inner(member, key)] as const)
      if (members.length === 0) return fc.dictionary(anyText, fc.jsonValue(), { maxKeys: 4 })
      return fc.record(Object.fromEntries(members), { requiredKeys: [...(found.required ?? [])] })
    }
    case "array":
      return fc.array(found.items ? inner(found.items) : fc.jsonValue(), {
        minLength: found.minItems ?? 0,
        maxLength: Math.min(found.maxItems ?? 5, (found.minItems ?? 0) + 4)
      })
    case "integer":
    case "number":
      return fc.integer({ min: found.minimum ?? -5, max: found.maximum ?? 1000 })
    case "boolean":
      return fc.boolean()
    case "null":
      return fc.constant(null)
    case "string":
      return textOf(found, ids, name)
    default:
      return fc.jsonValue()
  }
}

const textOf = (schema: JsonSchema, ids: ReadonlyArray<string>, name: string): fc.Arbitrary<string> => {
  const plain = fc.string({ minLength: schema.minLength ?? 1, maxLength: Math.min(schema.maxLength ?? 40, 40) })
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern))
  if (/^(id|to|.*_id|.*_ids)$/.test(name)) return fc.oneof(fc.constantFrom(...ids), anyText)
  if (/(_at|_after|_before)$/.test(name) || schema.format === "date-time") {
    return fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      anyText
    )
  }
  if (name === "url") return anyLink
  if (/^(from|recipient)$/.test(name)) return fc.constantFrom("+5511912345678", "+1 (202) 555-0100", "5511", "abc")
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: anyText })
}

/** A value with one place in it replaced or left out. */
const spoilt = (value: unknown): fc.Arbitrary<unknown> => {
  const other = fc.oneof(fc.jsonValue(), anyText, fc.constant(undefined), fc.constantFrom(1e308, -0, 2 ** 53))
  if (typeof value !== "object" || value === null) return other
  const keys = Object.keys(value)
  if (keys.length === 0) return other
  return fc.oneof(
    { weight: 1, arbitrary: other },
    { weight: 1, arbitrary: fc.tuple(anyText, other).map(([key, bad]) => ({ ...value, [key]: bad })) },
    {
      weight: 4,
      arbitrary: fc
        .constantFrom(...keys)
        .chain((key) => spoilt((value as Record<string, unknown>)[key]).map((bad) => replaced(value, key, bad)))
    }
  )
}

const replaced = (value: object, key: string, bad: unknown): unknown =>
  Array.isArray(value) ? value.map((item, n) => (String(n) === key ? bad : item)) : { ...value, [key]: bad }

const bodyOf = (one: DescribedOperation, ids: ReadonlyArray<string>, example: object | undefined) => {
  const schema = bodySchema(one)
  if (schema === undefined) return fc.constant(undefined)
  const valid = fc.oneof(valuesOf(schema, ids, ""), fc.constant(example))
  return fc.oneof(valid, valid.chain(spoilt))
}

// A poll that waits would wait for the clock of the test.
const withheld = new Set(["wait_ms"])

const searchOf = (one: DescribedOperation, ids: ReadonlyArray<string>): fc.Arbitrary<string> => {
  const declared = one.parameters.filter((parameter) => parameter.in === "query" && !withheld.has(parameter.name))
  const pair = (name: string, value: unknown) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`
  const given = declared.map(({ name, schema }) =>
    fc
      .oneof(
        { weight: 12, arbitrary: fc.constant(null) },
        { weight: 5, arbitrary: valuesOf(schema, ids, name) },
        { weight: 1, arbitrary: anyText }
      )
      .map((value) => {
        if (value === null) return []
        return [value].flat().map((item) => pair(name, String(item).toWellFormed()))
      })
  )
  const surplus = fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.tuple(anyText, anyText).map(([a, b]) => [pair(a.toWellFormed(), b.toWellFormed())]) }
  )
  return fc.tuple(...given, surplus).map((pairs) => pairs.flat().join("&"))
}

/** Requests for an operation; `ids` are those of things that exist, and some that do not. */
export const requestsFor = (
  operation: DescribedOperation,
  ids: Readonly<Record<string, string>>,
  example: object | undefined
): fc.Arbitrary<GeneratedRequest> => {
  const all = Object.values(ids).filter((id) => id !== "")
  const inPath = operation.parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name)
  const path = fc.tuple(
    ...inPath.map((name) =>
      fc.oneof(
        { weight: 3, arbitrary: fc.constant(ids[name] ?? "") },
        { weight: 1, arbitrary: fc.constantFrom(...all) },
        { weight: 1, arbitrary: anyText }
      )
    )
  )
  return fc.record({
    operation: fc.constant(operation),
    ids: path.map((values) => Object.fromEntries(inPath.map((name, n) => [name, (values[n] || "x").toWellFormed()]))),
    search: searchOf(operation, all),
    body: bodyOf(operation, all, example)
  })
}
