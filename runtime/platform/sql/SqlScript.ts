/**
 * The statements of a plain SQL text, in order, without their semicolons. The PostgreSQL driver speaks the extended
 * protocol only, which takes one statement a message. Understands comments (nested), quoted names, strings with both
 * kinds of escapes and dollar quotes; not the `begin atomic` bodies of SQL-standard functions.
 */
export const splitStatements = (text: string): ReadonlyArray<string> => {
  const statements: Array<string> = []
  let start = 0
  let meaningful = false
  let at = 0
  while (at < text.length) {
    const end = skipAtom(text, at)
    if (text[at] === ";") {
      if (meaningful) statements.push(text.slice(start, at).trim())
      start = end
      meaningful = false
    } else if (!isBlank(text, at)) meaningful = true
    at = end
  }
  if (meaningful) statements.push(text.slice(start).trim())
  return statements
}

const isBlank = (text: string, at: number): boolean =>
  /\s/.test(text.charAt(at)) || text.startsWith("--", at) || text.startsWith("/*", at)

/** The index after the comment, literal, quoted name or single character that begins at `at`. */
const skipAtom = (text: string, at: number): number => {
  if (text.startsWith("--", at)) return after(text, "\n", at)
  if (text.startsWith("/*", at)) return skipBlockComment(text, at)
  const character = text.charAt(at)
  if (character === '"') return after(text, '"', at + 1)
  if (character === "'")
    return skipString(text, at, /(^|[^A-Za-z0-9_$])[eE]$/.test(text.slice(Math.max(0, at - 2), at)))
  if (character === "$" && !/[A-Za-z0-9_$]/.test(text.charAt(at - 1))) {
    const tag = /^\$([A-Za-z_][A-Za-z0-9_]*)?\$/.exec(text.slice(at, at + 66))?.[0]
    if (tag !== undefined) return after(text, tag, at + tag.length)
  }
  return at + 1
}

const after = (text: string, mark: string, from: number): number => {
  const found = text.indexOf(mark, from)
  return found === -1 ? text.length : found + mark.length
}

// A doubled quote ends one string and opens the next at once, which reads the same.
const skipString = (text: string, at: number, backslashes: boolean): number => {
  let next = at + 1
  while (next < text.length && text.charAt(next) !== "'") next += backslashes && text.charAt(next) === "\\" ? 2 : 1
  if (backslashes && text.charAt(next + 1) === "'") return skipString(text, next + 1, true)
  return Math.min(text.length, next + 1)
}

const skipBlockComment = (text: string, at: number): number => {
  let depth = 1
  let next = at + 2
  while (next < text.length && depth > 0) {
    if (text.startsWith("/*", next)) depth += 1
    else if (text.startsWith("*/", next)) depth -= 1
    else {
      next += 1
      continue
    }
    next += 2
  }
  return next
}
