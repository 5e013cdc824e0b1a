/** What JSON Schema says about a value; only what /openapi.json uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly unevaluatedProperties?: boolean
  readonly items?: JsonSchema | false
  readonly prefixItems?: ReadonlyArray<JsonSchema>
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly format?: string
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> }
}

/** Named schemas that `$ref` points to. */
export type Definitions = Readonly<Record<string, JsonSchema>>

/** The schema a reference stands for. */
export const resolved = (schema: JsonSchema, definitions: Definitions): JsonSchema => {
  if (schema.$ref === undefined) return schema
  const name = schema.$ref.split("/").at(-1) ?? ""
  const target = definitions[name]
  if (target === undefined) throw new Error(`${schema.$ref} is not defined`)
  return resolved(target, definitions)
}

/** The schema a value is to be read by: of shapes that a tag tells apart, the one its tag names. */
export const ofTag = (schema: JsonSchema, value: unknown, definitions: Definitions): JsonSchema => {
  const { discriminator, oneOf } = resolved(schema, definitions)
  if (oneOf === undefined || discriminator === undefined) return schema
  const tag = (value as Readonly<Record<string, unknown>> | null | undefined)?.[discriminator.propertyName]
  const $ref = discriminator.mapping[String(tag)]
  return $ref === undefined ? schema : resolved({ $ref }, definitions)
}

/** Words of the schema language this reader knows; a schema with another would be checked by half. */
const known = new Set([
  ..."$ref type const enum anyOf oneOf allOf properties required additionalProperties items".split(" "),
  ..."unevaluatedProperties prefixItems".split(" "),
  ..."minItems maxItems uniqueItems minLength maxLength pattern minimum maximum format".split(" "),
  ..."description examples title default discriminator x-known-codes x-known-values".split(" ")
])

/** Every place where a value breaks its schema, as `path: what`; empty when it fits. */
export const violations = (
  value: unknown,
  schema: JsonSchema,
  definitions: Definitions,
  at = "$"
): ReadonlyArray<string> => {
  for (const word of Object.keys(schema)) if (!known.has(word)) throw new Error(`unknown schema word ${word} at ${at}`)
  if (schema.$ref !== undefined) return violations(value, resolved(schema, definitions), definitions, at)
  const found: Array<string> = []
  const inner = (one: unknown, of: JsonSchema, where: string) => violations(one, of, definitions, where)
  if (schema.type !== undefined && ![schema.type].flat().some((type) => isOfType(value, type))) {
    return [`${at}: ${typeNameOf(value)} is not ${String(schema.type)}`]
  }
  if ("const" in schema && value !== schema.const) found.push(`${at}: not ${JSON.stringify(schema.const)}`)
  if (schema.enum !== undefined && !schema.enum.includes(value)) found.push(`${at}: not of the enumeration`)
  for (const all of schema.allOf ?? []) found.push(...inner(value, all, at))
  for (const some of [schema.anyOf, schema.oneOf]) {
    if (some === undefined) continue
    const each = some.map((one) => inner(value, one, at))
    if (each.every((of) => of.length > 0)) found.push(...(each.reduce((a, b) => (b.length < a.length ? b : a)) ?? []))
  }
  if (typeof value === "string") found.push(...ofText(value, schema, at))
  if (typeof value === "number") found.push(...ofNumber(value, schema, at))
  if (Array.isArray(value)) {
    const { items, maxItems, minItems } = schema
    if (minItems !== undefined && value.length < minItems) found.push(`${at}: fewer than ${minItems} items`)
    if (maxItems !== undefined && value.length > maxItems) found.push(`${at}: more than ${maxItems} items`)
    if (items) for (const [n, item] of value.entries()) found.push(...inner(item, items, `${at}.${n}`))
  } else if (typeof value === "object" && value !== null) {
    found.push(...ofObject(value as Readonly<Record<string, unknown>>, schema, at, inner))
  }
  return found
}

const ofObject = (
  value: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
  at: string,
  inner: (one: unknown, of: JsonSchema, where: string) => ReadonlyArray<string>
): ReadonlyArray<string> => {
  const found = (schema.required ?? []).filter((name) => !(name in value)).map((name) => `${at}.${name}: missing`)
  for (const [name, member] of Object.entries(value)) {
    const declared = schema.properties?.[name]
    if (declared !== undefined) found.push(...inner(member, declared, `${at}.${name}`))
    else if (schema.additionalProperties === false || schema.unevaluatedProperties === false)
      found.push(`${at}.${name}: not declared`)
    else if (typeof schema.additionalProperties === "object") {
      found.push(...inner(member, schema.additionalProperties, `${at}.${name}`))
    }
  }
  return found
}

const ofText = (value: string, schema: JsonSchema, at: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const { format, maxLength, minLength, pattern } = schema
  const length = [...value].length
  if (minLength !== undefined && length < minLength) found.push(`${at}: shorter than ${minLength}`)
  if (maxLength !== undefined && length > maxLength) found.push(`${at}: longer than ${maxLength}`)
  if (pattern !== undefined && !new RegExp(pattern, "u").test(value)) found.push(`${at}: does not match ${pattern}`)
  if (format === "date-time" && Number.isNaN(Date.parse(value))) found.push(`${at}: no date-time`)
  return found
}

const ofNumber = (value: number, { maximum, minimum }: JsonSchema, at: string): ReadonlyArray<string> => [
  ...(minimum !== undefined && value < minimum ? [`${at}: below ${minimum}`] : []),
  ...(maximum !== undefined && value > maximum ? [`${at}: above ${maximum}`] : [])
]

const typeNameOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value)

const isOfType = (value: unknown, type: string): boolean =>
  type === "integer" ? Number.isInteger(value) : typeNameOf(value) === type
