/** A parameter of an operation, as the description has it. */
export interface DescribedParameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
}

/** One operation of the description, with what a collection shows of it. */
export interface Described {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: ReadonlyArray<string>
  readonly security: ReadonlyArray<unknown>
  readonly parameters: ReadonlyArray<DescribedParameter>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
}

/** A description, with what a collection shows of it. */
export interface DescribedApi {
  readonly info: { readonly title: string; readonly summary: string }
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}
