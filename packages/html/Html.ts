import { type Catalog, english, type NumberStyle, namedPlaces } from "./Catalog.ts"

class Markup {
  readonly #parts: ReadonlyArray<string>
  readonly #pieces: ReadonlyArray<Piece>
  constructor(parts: ReadonlyArray<string>, pieces: ReadonlyArray<Piece>) {
    this.#parts = parts
    this.#pieces = pieces
  }

  /** The text as the source has it. */
  get markup(): string {
    return this.in(english)
  }

  /** Returns the text with the page's own words as a catalog has them; values stay what they are. */
  in(catalog: Catalog): string {
    let markup = ""
    for (const step of catalog.template(this.#parts)) {
      markup += typeof step === "string" ? step : render(this.#pieces[step], catalog)
    }
    return markup
  }
}

/** Words of the page's own that stand where a value would. */
class Words {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** The values that a catalog may put into a sentence, by the names of their places. */
type NamedValues = Readonly<Record<string, Piece>>

/** Something that a catalog may say by its name; others read its text. */
class Named {
  readonly names: ReadonlyArray<readonly [name: string, more?: Html | undefined]>
  readonly text: string
  readonly values: NamedValues
  constructor(
    names: ReadonlyArray<readonly [name: string, more?: Html | undefined]>,
    text: string,
    values: NamedValues
  ) {
    this.names = names
    this.text = text
    this.values = values
  }

  in(catalog: Catalog): string {
    for (const [name, more] of this.names) {
      const said = catalog.named(name)
      const parts = said === undefined ? [] : namedPlaces(said)
      const isWhole = parts.every((part, index) => index % 2 === 0 || this.values[part] !== undefined)
      if (parts.length === 0 || !isWhole) continue
      const spoken = parts.map((part, index) => (index % 2 === 0 ? escaped(part) : render(this.values[part], catalog)))
      return spoken.join("") + render(more, catalog)
    }
    return escaped(this.text)
  }
}

/** A number that each language writes its own way. */
class Figure {
  readonly value: number
  readonly style: NumberStyle
  constructor(value: number, style: NumberStyle) {
    this.value = value
    this.style = style
  }
}

/** Markup that is safe to send: only `html` makes it, and it escapes every value. */
export type Html = Markup

/** The value of a placeholder; `undefined`, `null` and `false` give no text, `true` is refused. */
export type Piece = Html | Words | Named | Figure | string | number | undefined | null | false | ReadonlyArray<Piece>

/**
 * The only function that makes markup. Text between placeholders is the page's own, and a catalog may translate it; every
 * placeholder is escaped for text and for quoted attributes, unless it is markup already. Attributes always have double
 * quotes, and no placeholder may stand in a tag name, a script, a style or the scheme of an address.
 */
export const html = (parts: TemplateStringsArray, ...pieces: ReadonlyArray<Piece>): Html => new Markup(parts, pieces)

const render = (piece: Piece, catalog: Catalog): string => {
  if (piece instanceof Markup) return piece.in(catalog)
  if (piece instanceof Named) return piece.in(catalog)
  if (piece instanceof Figure) return escaped(catalog.number(piece.value, piece.style))
  if (piece instanceof Words) return escaped(catalog.words(piece.text))
  if (piece === undefined || piece === null || piece === false) return ""
  if (typeof piece === "object") return piece.map((one) => render(one, catalog)).join("")
  return escaped(String(piece))
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;"
}

const escaped = (text: string): string => text.replaceAll(/[&<>"'`]/g, (character) => entities[character] as string)

/** Returns words of the page's own, which a catalog may translate: a label, never a text that a request or a row brought. */
export const words = (text: string): Html => new Markup(onePiece, [new Words(text)])

/**
 * Returns a text that a catalog may say by a name, such as the code of a refusal: the first of the names that it has, with what
 * follows it there, else the text. A sentence of the catalog has values in places such as `{amount}`; one whose values are not
 * all known is not said.
 */
export const named = (
  names: ReadonlyArray<readonly [name: string, more?: Html | undefined]>,
  text: string,
  values: NamedValues = {}
): Html => new Markup(onePiece, [new Named(names, text, values)])

/** Returns a number as the language of the page writes it. Decision 0185 */
export const number = (value: number, style: NumberStyle): Html => new Markup(onePiece, [new Figure(value, style)])

const onePiece = ["", ""]

/** Returns markup that a library made of a text of this repository; never of a text that a request or a row brought. */
export const trustedMarkup = (markup: string): Html => new Markup([markup], [])
