class Markup {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

/** Markup that is safe to send: only `html` makes it, and it escapes every value. */
export type Html = Markup

/** The value of a placeholder; `undefined`, `null` and `false` give no text, `true` is refused. */
export type Piece = Html | string | number | undefined | null | false | ReadonlyArray<Piece>

/**
 * The only function that makes markup. Text between placeholders is the page's own; every placeholder is escaped for
 * text and for quoted attributes, unless it is markup already. Attributes always have double quotes, and no placeholder
 * may stand in a tag name, a script, a style or the scheme of an address.
 */
export const html = (parts: TemplateStringsArray, ...pieces: ReadonlyArray<Piece>): Html => {
  let markup = parts[0] ?? ""
  for (let index = 0; index < pieces.length; index++) markup += render(pieces[index]) + (parts[index + 1] ?? "")
  return new Markup(markup)
}

const render = (piece: Piece): string => {
  if (piece instanceof Markup) return piece.markup
  if (piece === undefined || piece === null || piece === false) return ""
  if (typeof piece === "object") return piece.map(render).join("")
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

/** Returns markup that a library made of a text of this repository; never of a text that a request or a row brought. */
export const trustedMarkup = (markup: string): Html => new Markup(markup)
