import { isJson, type Json, mapObjects } from "./Json.ts"

/**
 * Writes every schema in the form that client generators read: refinements beside the type they refine, null as one of
 * the types, no bounds without effect, instants as plain `date-time`, a map of any values as one.
 */
export const rendered = (description: unknown): unknown =>
  mapObjects(description, (one) => instant(withoutIdleBounds(freeMap(withoutChoice(withoutAllOf(one))))))

// A generator that reads only types takes `allOf` for an intersection with an unknown type.
const withoutAllOf = (schema: Json): Json => {
  const { allOf, ...rest } = schema
  if (!Array.isArray(allOf)) return schema
  let merged: Json = rest
  const kept: Array<unknown> = []
  for (const part of allOf as ReadonlyArray<Json>) {
    if (rest.type === "object" && isAnyObject(part)) continue
    const collides = Object.keys(part).some((key) => key in merged && !isWord(key))
    if (collides) kept.push(part)
    else merged = { ...merged, ...part }
  }
  return kept.length === 0 ? merged : { ...merged, allOf: kept }
}

/** True for a schema of any object, which adds nothing beside an object's own members. */
const isAnyObject = (part: Json): boolean =>
  Object.keys(part).every((key) => key === "type" || key === "additionalProperties") &&
  part.type === "object" &&
  isJson(part.additionalProperties) &&
  Object.keys(part.additionalProperties).length === 0

// A member's own description is more specific than its type's.
const isWord = (key: string): boolean => key === "description" || key === "examples"

const withoutChoice = (schema: Json): Json => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const choices = anyOf as ReadonlyArray<Json>
  if (choices.some((one) => Object.keys(one).length === 0)) return rest
  const [only, ...others] = choices.filter(({ type }) => type !== "null")
  if (only === undefined || others.length > 0) return schema
  if (choices.length === 1) return { ...only, ...rest }
  return typeof only.type === "string" ? { ...orNull(only), ...rest } : schema
}

const orNull = (schema: Json): Json => ({
  ...schema,
  type: [schema.type, "null"],
  ...(Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {})
})

/** Returns the schema without its null. */
export const withoutNull = (schema: unknown): unknown => {
  if (!isJson(schema)) return schema
  const { anyOf, type, ...rest } = schema
  if (Array.isArray(anyOf)) return withoutChoice({ ...schema, anyOf: anyOf.filter((one) => one.type !== "null") })
  if (!Array.isArray(type)) return schema
  const [only, ...others] = type.filter((one) => one !== "null")
  return {
    ...rest,
    type: others.length === 0 ? only : [only, ...others],
    ...(Array.isArray(rest.enum) ? { enum: rest.enum.filter((one) => one !== null) } : {})
  }
}

const idle: Json = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, minLength: 0, minItems: 0 }

const withoutIdleBounds = (schema: Json): Json =>
  Object.fromEntries(Object.entries(schema).filter(([name, value]) => !(name in idle && value === idle[name])))

// Generators take an object without further keywords for one that is always empty; one that takes no member at all says so.
const freeMap = (schema: Json): Json => {
  const { unevaluatedProperties, ...rest } = schema
  if (![schema.type].flat().includes("object") || "properties" in schema || "additionalProperties" in schema)
    return schema
  return unevaluatedProperties === false && !("oneOf" in schema || "anyOf" in schema || "allOf" in schema)
    ? { ...rest, additionalProperties: false }
    : { ...schema, additionalProperties: true }
}

// The format is sufficient; some languages reject a pattern beside a date-time type.
const instant = (schema: Json): Json => {
  if (schema.format !== "date-time") return schema
  const { pattern: _, ...rest } = schema
  return rest
}
