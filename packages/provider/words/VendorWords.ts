/**
 * Parses a vendor's JSON so that a database can hold every text of it: U+0000 and unpaired surrogates, which JSON may
 * escape, read as U+FFFD. One such text would otherwise be refused with everything that is written beside it. Throws where
 * the text is no JSON.
 */
export const parseWords = (text: string): unknown => {
  const value: unknown = JSON.parse(text)
  return unstorable.test(text) ? storable(value) : value
}

/** Escapes of U+0000 and of surrogates, paired ones among them; few bodies have any. */
const unstorable = /\\u(?:0000|d[89a-f])/i

const storable = (value: unknown): unknown => {
  if (typeof value === "string") return value.toWellFormed().replaceAll("\u0000", "\ufffd")
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storable(name), storable(member)]))
}

/** Ids of vendors are shorter; one that is longer than an index holds would be refused with all that is written beside it. */
const mostIdLength = 512

/** Returns a text that may be a vendor's id of something; null for anything else. */
export const storableId = (value: unknown): string | null =>
  typeof value === "string" && value !== "" && value.length <= mostIdLength ? value : null
