/**
 * Parses a vendor's JSON so that a database can store every text of it: U+0000 and unpaired surrogates, which JSON may
 * escape, become U+FFFD. Otherwise one such text would make the whole commit fail. Throws when the text is not JSON.
 */
export const parseWords = (text: string): unknown => {
  const value: unknown = JSON.parse(text)
  return unstorable.test(text) ? storable(value) : value
}

/** Escapes of U+0000 and of surrogates, including paired ones; few bodies have any. */
const unstorable = /\\u(?:0000|d[89a-f])/i

const storable = (value: unknown): unknown => {
  if (typeof value === "string") return value.toWellFormed().replaceAll("\u0000", "\ufffd")
  if (Array.isArray(value)) return value.map(storable)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storable(name), storable(member)]))
}

/** Returns an answer that an official client has parsed, so that a database can store every text of it. */
export const storableAnswer = <A>(answer: A): A => storable(answer) as A

/**
 * The longest stored id of a vendor. Real ones are shorter; an id longer than an index entry would make the whole
 * commit fail.
 */
const mostIdLength = 512

/** Returns a text that may be a vendor's id; null for any other value. */
export const storableId = (value: unknown): string | null =>
  typeof value === "string" && value !== "" && value.length <= mostIdLength ? value : null
