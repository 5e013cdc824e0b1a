/** What the table of generators depends on in a description: its forms, however many operations have them. */
export const facetsOf = (description: unknown): ReadonlyArray<string> => {
  const facets = new Set<string>()
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return
    const one = node as Readonly<Record<string, unknown>>
    if (one.in === "header") facets.add(`header ${one.name} required ${one.required} ${JSON.stringify(one.schema)}`)
    if (one.name === "starting_after") facets.add(`${one.in} starting_after ${JSON.stringify(one.schema)}`)
    if (one.format === "date-time") facets.add(`instant ${one.type}${"pattern" in one ? " with a pattern" : ""}`)
    if (Array.isArray(one.oneOf)) facets.add(`oneOf${"discriminator" in one ? " with a discriminator" : ""}`)
    if (Array.isArray(one.enum) && one.enum.includes(null)) facets.add("null among the values of an enum")
    if ("next_cursor" in one) facets.add(`next_cursor ${JSON.stringify((one.next_cursor as { type?: unknown }).type)}`)
    for (const value of Object.values(one)) walk(value)
  }
  walk(description)
  return [...facets].sort()
}
