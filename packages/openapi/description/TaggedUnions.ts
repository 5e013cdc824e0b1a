import type { Variants } from "@carteiro/schema/conventions/Variants.ts"
import { isJson, type Json, mapObjects } from "./Json.ts"
import { withoutNull } from "./SchemaRendering.ts"

const prefix = "#/components/schemas/"

/**
 * Shows variants that a tag distinguishes as `oneOf` with a discriminator: bodies that declare their variants, and
 * unions of named schemas that differ in the value of one required member.
 */
export const withTaggedUnions = (description: Json): Json => {
  const named: Json = {}
  const split = mapObjects(description, (schema) => (isSplit(schema) ? splitByTag(schema, named) : schema)) as Json
  const components = split.components as Json
  const schemas = { ...(components.schemas as Json), ...named }
  const sorted = Object.fromEntries(
    Object.keys(schemas)
      .sort()
      .map((name) => [name, schemas[name]])
  )
  return mapObjects({ ...split, components: { ...components, schemas: sorted } }, (schema) =>
    discriminated(schema, schemas)
  ) as Json
}

type Split = Json & { readonly variants: Variants; readonly properties: Json }

// A member of a body may be called `variants`; only a schema has it beside its properties.
const isSplit = (schema: Json): schema is Split =>
  isJson(schema.variants) && isJson(schema.variants.of) && isJson(schema.properties)

const splitByTag = (schema: Split, named: Json): Json => {
  const { variants, properties, required, additionalProperties: _, ...rest } = schema
  const ofOne = new Set(Object.values(variants.of).flatMap((one) => [...(one.requires ?? []), ...(one.takes ?? [])]))
  const shapes = Object.entries(variants.of).map(([value, { requires = [], schema, takes = [] }]) => {
    const members = Object.entries(properties).flatMap(([name, member]) => {
      if (name === variants.tag) return [[name, { ...(member as Json), enum: [value] }] as const]
      if (requires.includes(name)) return [[name, withoutNull(member)] as const]
      return takes.includes(name) || !ofOne.has(name) ? [[name, member] as const] : []
    })
    const shape = {
      type: "object",
      properties: Object.fromEntries(members),
      required: members
        .map(([name]) => name)
        .filter((name) => requires.includes(name) || (required as ReadonlyArray<string>).includes(name))
    }
    return [schema, shape] as const
  })
  const [only] = shapes
  if (only !== undefined && shapes.length === 1) return { ...rest, ...only[1] }
  for (const [name, shape] of shapes) named[name] = shape
  const { type: _type, ...said } = rest
  return { ...said, anyOf: shapes.map(([name]) => ({ $ref: `${prefix}${name}` })) }
}

const discriminated = (schema: Json, schemas: Json): Json => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const refs = (anyOf as ReadonlyArray<Json>).map(({ $ref }) => $ref)
  if (refs.length < 2 || !refs.every((ref): ref is string => typeof ref === "string")) return schema
  const tags = refs.map((ref) => tagsOf(schemas[ref.slice(prefix.length)]))
  const tag = Object.keys(tags[0] ?? {}).find(
    (name) => new Set(tags.map((one) => one[name])).size === refs.length && tags.every((one) => name in one)
  )
  if (tag === undefined) return schema
  return {
    ...rest,
    oneOf: anyOf,
    discriminator: {
      propertyName: tag,
      mapping: Object.fromEntries(refs.map((ref, n) => [String(tags[n]?.[tag]), ref]))
    }
  }
}

/** Returns the required members of a schema that have only one value. */
const tagsOf = (schema: unknown): Json => {
  if (!isJson(schema) || !isJson(schema.properties)) return {}
  const required = (schema.required ?? []) as ReadonlyArray<string>
  return Object.fromEntries(
    Object.entries(schema.properties).flatMap(([name, member]) => {
      const values = isJson(member) ? member.enum : undefined
      return required.includes(name) && Array.isArray(values) && values.length === 1 ? [[name, values[0]]] : []
    })
  )
}
