import type { Json } from "./description/Json.ts"

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: ReadonlyArray<string>
  readonly security: ReadonlyArray<unknown>
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: "path" | "query" | "header"
    readonly required?: boolean
    readonly description?: string
    readonly example?: unknown
  }>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
}

interface DescribedApi {
  readonly info: { readonly title: string; readonly summary: string }
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

/**
 * Returns a Postman collection of the description, version 2.1: a folder for each tag, a request for each operation
 * with its example body. `baseUrl` and `apiKey` are variables of the collection; the reader fills in the ids of paths.
 */
export const postmanCollection = (description: Json, publicUrl: string): Json => {
  const { info, paths, tags } = description as unknown as DescribedApi
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ tag: one.tags[0], item: itemOf(method, path, one) }))
  )
  return {
    info: { name: info.title, description: info.summary, schema },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{apiKey}}", type: "string" }] },
    variable: [
      { key: "baseUrl", value: publicUrl },
      { key: "apiKey", value: "" }
    ],
    item: tags.map(({ description: about, name }) => ({
      name,
      description: about ?? "",
      item: operations.filter(({ tag }) => tag === name).map(({ item }) => item)
    }))
  }
}

const itemOf = (method: string, path: string, operation: Described): Json => {
  const { description, operationId, parameters, requestBody, security, summary } = operation
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const ofKind = (kind: string) => parameters.filter((one) => one.in === kind)
  const shown = (one: Described["parameters"][number]) => ({
    key: one.name,
    value: one.example === undefined ? "" : String(one.example),
    description: one.description ?? "",
    disabled: one.required !== true
  })
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ":$1")
  return {
    name: summary,
    id: operationId,
    request: {
      method: method.toUpperCase(),
      description: description ?? "",
      ...(security.length === 0 ? { auth: { type: "noauth" } } : {}),
      header: [...ofKind("header").map(shown), ...(type === undefined ? [] : [{ key: "content-type", value: type }])],
      url: {
        raw: `{{baseUrl}}/${segments}`,
        host: ["{{baseUrl}}"],
        path: segments.split("/"),
        query: ofKind("query").map(shown),
        variable: ofKind("path").map(({ name, description: about }) => ({
          key: name,
          value: "",
          description: about ?? ""
        }))
      },
      ...(type === undefined ? {} : { body: bodyOf(type, content?.example) })
    }
  }
}

const bodyOf = (type: string, example: unknown): Json =>
  type === "application/json"
    ? { mode: "raw", raw: JSON.stringify(example ?? {}, null, 2), options: { raw: { language: "json" } } }
    : { mode: "file", file: {} }
