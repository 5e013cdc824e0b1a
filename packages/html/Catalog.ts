import { type Steps, segmentsOf, stepsOf } from "./Segments.ts"

/** The texts of a language in which pages are read. */
export interface Catalog {
  /** Returns a template's text in parts: text as it is sent, and numbers of placeholders in the language's order. */
  readonly template: (parts: ReadonlyArray<string>) => ReadonlyArray<string | number>
  /** Returns words that stand where a value would. */
  readonly words: (text: string) => string
  /** Returns what stands under a name, such as the code of a refusal; undefined where nothing does. */
  readonly named: (name: string) => string | undefined
  /** Returns a number as its readers write it. Decision 0185 */
  readonly number: (value: number, style: NumberStyle) => string
}

/** A count, a number with one decimal place, or a share of which 1 is all, to two places of a percentage. */
export type NumberStyle = "count" | "decimal" | "percent"

const numbersOf = (tag: string): Catalog["number"] => {
  const formats = {
    count: new Intl.NumberFormat(tag, { maximumFractionDigits: 0 }),
    decimal: new Intl.NumberFormat(tag, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
    percent: new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 2 })
  } satisfies Readonly<Record<NumberStyle, Intl.NumberFormat>>
  return (value, style) => formats[style].format(value)
}

/** The language in which the pages are written. */
export const english: Catalog = {
  template: (parts) => stepsOf(parts),
  words: (text) => text,
  named: () => undefined,
  number: numbersOf("en")
}

/** Returns the catalog of a language by its tag: texts by their English ones, in which `{0}` is the first placeholder. */
export const catalogOf = (texts: Readonly<Record<string, string>>, tag: string): Catalog => {
  const known = new WeakMap<ReadonlyArray<string>, Steps>()
  const has = (text: string): string | undefined => (Object.hasOwn(texts, text) ? texts[text] : undefined)
  return {
    template: (parts) => {
      const before = known.get(parts)
      if (before !== undefined) return before
      const steps = segmentsOf(parts).flatMap((segment) => {
        if (typeof segment !== "object") return [segment]
        const text = has(segment.text)
        return text === undefined ? segment.steps : [segment.before, ...spoken(text, segment.places), segment.after]
      })
      known.set(parts, steps)
      return steps
    },
    words: (text) => has(text) ?? text,
    named: has,
    number: numbersOf(tag)
  }
}

/** Returns a text in parts: odd ones are names of values, written `{amount}` in it. */
export const namedPlaces = (text: string): ReadonlyArray<string> => text.split(/\{([a-z_]+)\}/)

/** Returns a text with values in their places; a place whose value is not given stays. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  namedPlaces(text)
    .map((part, index) => (index % 2 === 0 ? part : (values[part] ?? `{${part}}`)))
    .join("")

const spoken = (text: string, places: ReadonlyArray<number>): Steps =>
  text.split(/\{(\d+)\}/).map((part, index) => (index % 2 === 0 ? part : (places[Number(part)] as number)))
