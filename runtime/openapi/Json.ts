/** Plain JSON of a description; its shape is the OpenAPI specification's. */
export type Json = Record<string, unknown>

/** Says each schema the short way: a choice of one is that one, and a choice with an empty schema is anything. */
export const plain = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(plain)
  if (typeof schema !== "object" || schema === null) return schema
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, plain(value)]))
  const { anyOf, ...rest } = members
  if (!Array.isArray(anyOf)) return members
  if (anyOf.some((one) => Object.keys(one as Json).length === 0)) return rest
  return anyOf.length === 1 ? { ...(anyOf[0] as Json), ...rest } : members
}

/** Drops what the generator adds to the names of schemas that are written otherwise than they are read. */
export const renamed = (description: Json): Json =>
  JSON.parse(JSON.stringify(description).replaceAll(/("|\/schemas\/)([A-Z]\w*)Encoded"/g, '$1$2"'))

/** Answers may gain members, so nothing says that they never will. A-VER-05 */
export const open = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(open)
  if (typeof schema !== "object" || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !(name === "additionalProperties" && value === false))
      .map(([name, value]) => [name, open(value)])
  )
}
