/** Returns a member of a value that may be a record. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

/** Returns a list of a response; empty when there is none. */
export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Returns a text that is not empty; null for any other value. */
export const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null)
