import { html, type Piece } from "../kit/Html.ts"

/** The marks of the chat app: bold, italic, struck out and of one width; a mark stands at the edge of its words. */
const marked =
  /```([^`]+)```|(?<![\p{L}\d*])\*(?! )([^*\n]+)(?<! )\*(?![\p{L}\d*])|(?<![\p{L}\d_])_(?! )([^_\n]+)(?<! )_(?![\p{L}\d_])|(?<![\p{L}\d~])~(?! )([^~\n]+)(?<! )~(?![\p{L}\d~])|\{\{([^{}]*)\}\}/gu

/**
 * Returns a text as the chat app shows it: with its marks, and with values in place of variables. A variable without a value
 * stays, and is seen as one.
 */
export const formattedText = (text: string, values: Readonly<Record<string, string | undefined>> = {}): Piece => {
  const pieces: Array<Piece> = []
  let end = 0
  for (const match of text.matchAll(marked)) {
    pieces.push(text.slice(end, match.index), pieceOf(match, values))
    end = match.index + match[0].length
  }
  return [...pieces, text.slice(end)]
}

const pieceOf = (
  [whole, code, bold, italic, struck, key]: RegExpExecArray,
  values: Readonly<Record<string, string | undefined>>
): Piece => {
  if (code !== undefined) return html`<code>${code}</code>`
  if (bold !== undefined) return html`<b>${formattedText(bold, values)}</b>`
  if (italic !== undefined) return html`<i>${formattedText(italic, values)}</i>`
  if (struck !== undefined) return html`<s>${formattedText(struck, values)}</s>`
  return values[(key ?? "").trim()] || html`<mark>${whole}</mark>`
}
