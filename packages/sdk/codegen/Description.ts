/** A schema of the description, in the dialect that the description is written in. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: ReadonlyArray<string | number | boolean | null>
  readonly format?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  /** Tells the variants of a union apart. */
  readonly discriminator?: { readonly propertyName: string }
  readonly "x-known-values"?: ReadonlyArray<string>
  readonly "x-known-codes"?: ReadonlyArray<string>
}

interface Content {
  readonly [mediaType: string]: { readonly schema: JsonSchema }
}

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

export interface DescribedOperation {
  readonly operationId: string
  readonly tags?: ReadonlyArray<string>
  readonly summary: string
  readonly description: string
  readonly deprecated?: boolean
  readonly security: ReadonlyArray<unknown>
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, DescribedResponse>>
  readonly "x-required-scopes": ReadonlyArray<string>
}

/** A response, or a reference to one that several operations have in common. */
interface DescribedResponse {
  readonly $ref?: string
  readonly content?: Content
}

/** The parts of `/openapi.json` that the client is made from. */
export interface Description {
  readonly tags?: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: DescribedOperation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, DescribedResponse>>
  }
}

export interface Operation extends DescribedOperation {
  readonly method: string
  readonly path: string
}

/** Returns every operation in the order of the description, with references to responses followed. */
export const operationsOf = ({ components, paths }: Description): ReadonlyArray<Operation> =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [
          status,
          response.$ref === undefined ? response : (components.responses[nameOfRef(response.$ref)] ?? {})
        ])
      )
    }))
  )

/** Returns the schema and media type of what an operation answers when it succeeds. */
export const successOf = (
  operation: Operation
): { readonly mediaType: string; readonly schemas: ReadonlyArray<JsonSchema> } => {
  const contents = Object.entries(operation.responses).flatMap(([status, { content }]) =>
    status < "3" ? Object.entries(content ?? {}) : []
  )
  const schemas = new Map(contents.map(([, { schema }]) => [JSON.stringify(schema), schema]))
  return { mediaType: contents[0]?.[0] ?? "", schemas: [...schemas.values()] }
}

export const nameOfRef = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)

/** Returns the names of component schemas that a schema reaches. */
export const reached = (from: ReadonlyArray<JsonSchema>, { components }: Description): ReadonlySet<string> => {
  const names = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    if ("$ref" in value && typeof value.$ref === "string") {
      const name = nameOfRef(value.$ref)
      if (names.has(name)) return
      names.add(name)
      visit(components.schemas[name])
    }
    for (const part of Object.values(value)) visit(part)
  }
  visit(from)
  return names
}
