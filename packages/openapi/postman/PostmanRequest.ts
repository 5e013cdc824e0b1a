import type { Json } from "../description/Json.ts"
import type { Described, DescribedParameter } from "./DescribedApi.ts"
import { type SavedIds, uploadVariables, withVariables } from "./SavedIds.ts"

/** An operation with where it is called. */
export interface PlacedOperation {
  readonly method: string
  readonly path: string
  readonly operation: Described
}

/** Postman makes another text of this for each request. */
const anyUuid = "{{$guid}}"

/**
 * Returns the request of an operation for a collection. Ids in its path and its body are the variables that scripts fill in;
 * `body` stands in place of the example of the description.
 */
export const postmanRequest = (
  { method, operation, path }: PlacedOperation,
  saved: SavedIds,
  body: string | undefined = exampleBody(operation)
): Json => {
  const { description, parameters, requestBody, security } = operation
  const [type] = Object.keys(requestBody?.content ?? {})
  const ofKind = (kind: DescribedParameter["in"]) => parameters.filter((one) => one.in === kind)
  const shown = (one: DescribedParameter) => ({
    key: one.name,
    value: filledIn(one, saved),
    description: one.description ?? "",
    disabled: one.required !== true
  })
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ":$1")
  const isOfUpload = type === "*/*"
  const contentType = isOfUpload ? `{{${uploadVariables.type}}}` : type
  return {
    method: method.toUpperCase(),
    description: description ?? "",
    ...(security.length === 0 ? { auth: { type: "noauth" } } : {}),
    header: [
      ...ofKind("header").map(shown),
      ...(contentType === undefined ? [] : [{ key: "content-type", value: contentType }])
    ],
    url: {
      raw: `{{baseUrl}}/${segments}`,
      host: ["{{baseUrl}}"],
      path: segments.split("/"),
      query: ofKind("query").map(shown),
      variable: ofKind("path").map((one) => ({
        key: one.name,
        value: filledIn(one, saved),
        description: one.description ?? ""
      }))
    },
    ...(type === undefined ? {} : { body: bodyOf(isOfUpload, body, saved) })
  }
}

/** Returns the variable of an id, else the example of the parameter. */
const filledIn = ({ example, name }: DescribedParameter, saved: SavedIds): string => {
  if (name === "idempotency-key") return anyUuid
  if (name === uploadVariables.token) return `{{${name}}}`
  if (example !== undefined) return withVariables(String(example), saved)
  return [...saved.values()].includes(name) ? `{{${name}}}` : ""
}

const exampleBody = ({ requestBody }: Described): string | undefined => {
  const content = requestBody?.content["application/json"]
  return content === undefined ? undefined : JSON.stringify(content.example ?? {}, null, 2)
}

const bodyOf = (isOfUpload: boolean, body: string | undefined, saved: SavedIds): Json => {
  if (body === undefined) return { mode: "file", file: {} }
  const raw = withVariables(body, saved)
  return isOfUpload ? { mode: "raw", raw } : { mode: "raw", raw, options: { raw: { language: "json" } } }
}
