/**
 * Characters that a terminal acts on instead of showing them: controls, line separators, characters that turn the direction
 * of text, and halves of characters.
 */
const acting = /[\p{Cc}\p{Bidi_Control}\p{Cs}\u2028\u2029]/gu
const actingButLineFeed = /[^\P{Cc}\n]|[\p{Bidi_Control}\p{Cs}\u2028\u2029]/gu

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Returns a value as one line that a terminal shows as it is: what it would act on is written as `\u001b`. */
export const escapeValue = (text: string): string => text.replaceAll(acting, escaped)

/** Returns lines with everything escaped but their line feeds; JSON stays the same document. */
export const escapeLines = (text: string): string => text.replaceAll(actingButLineFeed, escaped)
