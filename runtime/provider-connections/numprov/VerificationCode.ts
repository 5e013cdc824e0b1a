/** The longest text that is looked at: a message of several parts is shorter. */
const mostLength = 1600

/** The digits of a code, alone or in two halves as people read them; neighbours of other digits are part of none. */
const code = /(?<!\+|\d[.,/:-]?)(?:(\d{3})[- ](\d{3})|(\d{4,8}))(?![.,/:-]?\d)/

/**
 * The verification code in a text message, its digits alone; undefined for a message without one. vendor-wires "numprov"
 */
export const verificationCodeOf = (text: string): string | undefined => {
  const found = code.exec(text.slice(0, mostLength))
  return found === null ? undefined : (found[3] ?? `${found[1]}${found[2]}`)
}
