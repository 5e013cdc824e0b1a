/** Plain JSON of a description, in the shape of the OpenAPI specification. */
export type Json = Record<string, unknown>

/** True for a JSON object. */
export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Applies a function to every object inside a value, inner ones first. */
export const mapObjects = (value: unknown, change: (one: Json) => Json): unknown => {
  if (Array.isArray(value)) return value.map((one) => mapObjects(one, change))
  if (!isJson(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapObjects(one, change)])))
}

/** Returns the object without its undefined members. */
export const defined = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

/** Returns the schema without `additionalProperties: false`, because responses may gain members. A-VER-05 */
export const open = (schema: unknown): unknown =>
  mapObjects(schema, (one) => {
    const { additionalProperties, ...rest } = one
    return additionalProperties === false ? rest : one
  })

/** Removes the suffix that the generator adds to the names of schemas whose encoded form differs. */
export const renamed = (description: Json): Json => renamedIn(description) as Json

const renamedIn = (value: unknown): unknown => {
  if (typeof value === "string") return withoutSuffix(value)
  if (Array.isArray(value)) return value.map(renamedIn)
  if (!isJson(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [withoutSuffix(name), renamedIn(one)]))
}

/** A schema's name stands alone, or at the end of a reference. */
const withoutSuffix = (text: string): string => text.replace(/(^|\/schemas\/)([A-Z]\w*)Encoded$/, "$1$2")
