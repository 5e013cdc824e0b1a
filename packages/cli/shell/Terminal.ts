import { randomUUID } from "node:crypto"
import { styleText } from "node:util"

/** Colours of the command line. */
export type Format = "green" | "red" | "yellow" | "dim" | "bold"

/**
 * Characters that a terminal acts on instead of showing them: controls, line separators, characters that turn the
 * direction of text, and halves of characters.
 */
const acting = /[\p{Cc}\p{Bidi_Control}\p{Cs}\u2028\u2029]/gu
const actingButLineFeed = /[^\P{Cc}\n]|[\p{Bidi_Control}\p{Cs}\u2028\u2029]/gu

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Returns a text as one line that a terminal shows as it is: what it would act on is written as `\u001b`. */
export const escapeValue = (text: string): string => text.replaceAll(acting, escaped)

/** Colours stand as marks that no text from outside can hold, until a line is written. */
const run = randomUUID()
const painted = new RegExp(`${run}:(\\w+)\\((.*?)\\):${run}`, "gs")

/** Marks a text for a colour. */
export const paint = (format: Format, text: string): string => `${run}:${format}(${text}):${run}`

/**
 * Returns lines as a terminal gets them: the colours of `paint`, and everything else escaped but line feeds. JSON stays
 * the same document.
 */
export const terminalText = (text: string, isColoured: boolean): string => {
  const coloured: Array<string> = []
  const plain = text.replaceAll(painted, (_, format: Format, inner: string) => {
    coloured.push(isColoured ? styleText(format, escapeLines(inner), { validateStream: false }) : escapeLines(inner))
    return `${run}#`
  })
  const parts = plain.split(`${run}#`).map(escapeLines)
  return parts.map((part, index) => part + (coloured[index] ?? "")).join("")
}

const escapeLines = (text: string): string => text.replaceAll(actingButLineFeed, escaped)
