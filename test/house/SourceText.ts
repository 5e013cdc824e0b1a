/** One `import` or `export … from`, with the specifier as written. */
export interface Import {
  readonly specifier: string
  readonly line: number
  /** True for `import type`, `export type` and braces of types: nothing of it is left when the program runs. */
  readonly typeOnly: boolean
  /** Names inside the braces, without `type` and before `as`. */
  readonly names: ReadonlyArray<string>
  /** Those of the names that are there when the program runs. */
  readonly values: ReadonlyArray<string>
  /** `Access` of `import * as Access`. */
  readonly namespace: string | undefined
  /** True for `export … from`: the names are handed on. */
  readonly handsOn: boolean
  /** True for `import("…")`, whose names stand elsewhere. */
  readonly dynamic: boolean
}

/** The text of one string literal, or one piece of a template between its placeholders. */
export interface Literal {
  readonly text: string
  readonly line: number
}

/** A TypeScript file in three channels, so that a rule about code never trips over a comment or a message. */
export interface SourceText {
  /** The program with comments, literal texts and regular expressions blanked; offsets and lines are kept. */
  readonly code: string
  readonly literals: ReadonlyArray<Literal>
  readonly imports: ReadonlyArray<Import>
}

/** The 1-based line of an offset. */
export const lineAt = (text: string, offset: number): number => {
  let line = 1
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++
  return line
}

/** Splits a TypeScript source into its channels. It reads tokens, not grammar: enough for imports and banned words. */
export const readSource = (source: string): SourceText => {
  const { code, pieces } = blank(source)
  return {
    code,
    literals: pieces.map(([from, to]) => ({ text: source.slice(from, to), line: lineAt(source, from) })),
    imports: importsOf(source, code)
  }
}

type Span = readonly [from: number, to: number]

const regexMayFollow = /(?:^|[(,=:[!&|?{;+\-*%<>~^]|\b(?:return|typeof|case|in|of|yield|await|void))\s*$/

const blank = (source: string): { readonly code: string; readonly pieces: ReadonlyArray<Span> } => {
  const pieces: Array<Span> = []
  const openBraces: Array<number> = [] // one count per template placeholder we are inside of
  let code = ""
  let at = 0

  const keep = (to: number) => {
    code += source.slice(at, to)
    at = to
  }
  const hide = (to: number) => {
    code += source.slice(at, to).replace(/[^\n]/g, " ")
    at = to
  }
  const until = (text: string) => {
    const found = source.indexOf(text, at)
    return found === -1 ? source.length : found
  }
  const literal = (to: number) => {
    pieces.push([at, to])
    hide(to)
  }
  const template = () => {
    let to = at
    while (to < source.length && source[to] !== "`" && !source.startsWith("${", to)) to += source[to] === "\\" ? 2 : 1
    literal(Math.min(to, source.length))
    if (source[at] === "$") openBraces.push(0)
    keep(Math.min(at + (source[at] === "$" ? 2 : 1), source.length))
  }

  while (at < source.length) {
    const char = source[at]
    if (source.startsWith("//", at)) hide(until("\n"))
    else if (source.startsWith("/*", at)) hide(Math.min(until("*/") + 2, source.length))
    else if (char === '"' || char === "'") {
      keep(at + 1)
      literal(closing(source, at, char))
      keep(Math.min(at + 1, source.length))
    } else if (char === "`") {
      keep(at + 1)
      template()
    } else if (char === "/" && regexMayFollow.test(code.slice(-40))) {
      const end = regexEnd(source, at)
      if (end === undefined) keep(at + 1)
      else hide(end)
    } else {
      const depth = openBraces.at(-1)
      keep(at + 1)
      if (depth === undefined) continue
      if (char === "{") openBraces[openBraces.length - 1] = depth + 1
      else if (char === "}" && depth > 0) openBraces[openBraces.length - 1] = depth - 1
      else if (char === "}") {
        openBraces.pop()
        template()
      }
    }
  }
  return { code, pieces }
}

const closing = (source: string, from: number, quote: string): number => {
  let to = from
  while (to < source.length && source[to] !== quote && source[to] !== "\n") to += source[to] === "\\" ? 2 : 1
  return Math.min(to, source.length)
}

const regexEnd = (source: string, from: number): number | undefined => {
  let inClass = false
  for (let to = from + 1; to < source.length && source[to] !== "\n"; to++) {
    const char = source[to]
    if (char === "\\") to++
    else if (char === "[") inClass = true
    else if (char === "]") inClass = false
    else if (char === "/" && !inClass) return to + 1
  }
  return undefined
}

const importForms = [
  /\bimport\s+(?<type>type\s+(?!from\b))?(?<clause>[\w$\s,{}*]+?)\s*\bfrom\s*["']/g,
  /\bexport\s+(?<type>type\s+)?(?<clause>\*(?:\s+as\s+[\w$]+)?|\{[^}]*\})\s*from\s*["']/g,
  /\bimport\s*\(?\s*["']/g
]

const importsOf = (source: string, code: string): ReadonlyArray<Import> =>
  importForms
    .flatMap((form) => [...code.matchAll(form)])
    .toSorted((a, b) => a.index - b.index)
    .map((match) => {
      const from = match.index + match[0].length
      const quote = code[from - 1] ?? '"'
      return {
        specifier: source.slice(from, closing(source, from, quote)),
        line: lineAt(source, match.index),
        handsOn: match[0].startsWith("export"),
        dynamic: /^import\s*\(/.test(match[0]),
        ...namesOf(match.groups?.clause ?? "", match.groups?.type !== undefined)
      }
    })

const namesOf = (clause: string, type: boolean): Omit<Import, "specifier" | "line" | "handsOn" | "dynamic"> => {
  const braces = clause.match(/\{([^}]*)\}/)
  const written = (braces?.[1] ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
  const bare = (name: string) => name.replace(/^type\s+/, "").replace(/\s+as\s+.*$/s, "")
  const values = type ? [] : written.filter((name) => !/^type\s/.test(name)).map(bare)
  const typeOnly = type || (braces?.[0] === clause.trim() && written.length > 0 && values.length === 0)
  return { typeOnly, names: written.map(bare), values, namespace: clause.match(/\*\s+as\s+([\w$]+)/)?.[1] }
}
