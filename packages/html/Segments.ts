/** Parts of a text: text as it is sent, and numbers of placeholders. */
export type Steps = ReadonlyArray<string | number>

const inEnglish = new WeakMap<ReadonlyArray<string>, Steps>()

/** Returns a template as it stands. */
export const stepsOf = (parts: ReadonlyArray<string>): Steps => {
  const known = inEnglish.get(parts)
  if (known !== undefined) return known
  const steps = parts.flatMap((part, index) => (index === 0 ? [part] : [index - 1, part]))
  inEnglish.set(parts, steps)
  return steps
}

/** A run of text between two tags, or the value of an attribute that people read. */
export interface Segment {
  /** As a catalog names it: with `{0}` for its first placeholder, and one space where the source has several. */
  readonly text: string
  readonly before: string
  readonly after: string
  /** The numbers of its placeholders in the template. */
  readonly places: ReadonlyArray<number>
  readonly steps: Steps
}

/** Attributes whose values people read. */
const read = /\s(?:aria-label|title|placeholder|alt)="$/

/** Attributes that need no value; a template that holds nothing else stands inside a tag. */
const bare = "data-[a-z-]+|required|selected|checked|open|autofocus|disabled|hidden|multiple|readonly|novalidate"
const attributesOnly = new RegExp(`^\\s*(?:[a-z-]+="|(?:${bare})\\s*$)`)

/** A tag whose content is what a machine reads, the same in every language. */
const code = /^<(?:code|pre)\b/

/** Returns a template as it is sent, with its readable texts apart. */
export const segmentsOf = (parts: ReadonlyArray<string>): ReadonlyArray<string | number | Segment> => {
  if (attributesOnly.test(parts[0] ?? "")) return stepsOf(parts)
  const segments: Array<string | number | Segment> = []
  let run: Array<string | number> = []
  let markup = ""
  let tag = ""
  let place: "text" | "tag" | "value" | "read" = "text"
  const end = () => {
    if (run.length > 0) segments.push(...(code.test(tag) ? run : segmentOf(run)))
    run = []
  }
  const flush = () => {
    if (markup !== "") segments.push(markup)
    markup = ""
  }
  const take = (character: string) => {
    const isEnd = place === "text" ? character === "<" : place === "read" && character === '"'
    if (isEnd) end()
    if (place === "text" ? character !== "<" : place === "read" && !isEnd) {
      flush()
      const last = run.at(-1)
      if (typeof last === "string") run[run.length - 1] = last + character
      else run.push(character)
      return
    }
    markup += character
    tag = place === "text" ? character : tag + character
    if (place === "text") place = "tag"
    else if (isEnd) place = "tag"
    else if (place === "value") place = character === '"' ? "tag" : "value"
    else if (character === ">") place = "text"
    else if (character === '"') place = read.test(markup) ? "read" : "value"
  }
  for (const [index, part] of parts.entries()) {
    for (const character of part) take(character)
    if (index === parts.length - 1) break
    if (place === "text" || place === "read") {
      flush()
      run.push(index)
    } else {
      flush()
      segments.push(index)
    }
  }
  end()
  flush()
  return segments
}

/** Returns the text of a run; a run without a lower-case letter is nothing that a language says in another way. */
const segmentOf = (run: ReadonlyArray<string | number>): ReadonlyArray<string | number | Segment> => {
  if (!run.some((step) => typeof step === "string" && /\p{Ll}/u.test(step))) return run
  const places: Array<number> = []
  const named = run.map((step) => (typeof step === "string" ? step : `{${places.push(step) - 1}}`)).join("")
  const text = named.trim()
  const before = named.slice(0, named.indexOf(text))
  const after = named.slice(before.length + text.length)
  return [{ text: text.replaceAll(/\s+/g, " "), before, after, places, steps: run }]
}
