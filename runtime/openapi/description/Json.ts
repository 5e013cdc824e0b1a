/** Plain JSON of a description; its shape is the OpenAPI specification's. */
export type Json = Record<string, unknown>

/** Whether a value is an object of JSON. */
export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Applies a function to every object inside a value, inner ones first. */
export const mapObjects = (value: unknown, change: (one: Json) => Json): unknown => {
  if (Array.isArray(value)) return value.map((one) => mapObjects(one, change))
  if (!isJson(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapObjects(one, change)])))
}

/** Leaves out members that are undefined. */
export const defined = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

/** Answers may gain members, so nothing says that they never will. A-VER-05 */
export const open = (schema: unknown): unknown =>
  mapObjects(schema, (one) => {
    const { additionalProperties, ...rest } = one
    return additionalProperties === false ? rest : one
  })

/** Drops what the generator adds to the names of schemas that are written otherwise than they are read. */
export const renamed = (description: Json): Json =>
  JSON.parse(JSON.stringify(description).replaceAll(/("|\/schemas\/)([A-Z]\w*)Encoded"/g, '$1$2"'))
