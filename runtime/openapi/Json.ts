/** Plain JSON of a description; its shape is the OpenAPI specification's. */
export type Json = Record<string, unknown>

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
