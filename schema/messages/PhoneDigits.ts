// This file imports nothing: browsers and the published client load it too.

const separators = /[ ().-]/g
const international = /^\+?(\d{8,15})$/

/**
 * Returns the digits of a phone number in one string: 8 to 15 ASCII digits after an optional leading `+`, once spaces,
 * parentheses, dots and hyphens are removed. `undefined` for any other text. M-RCP-01, M-RCP-02, M-RCP-03
 */
export const phoneDigits = (written: string): string | undefined =>
  written.length > 64 ? undefined : international.exec(written.replace(separators, ""))?.[1]

const brazilWithoutNinth = /^55(\d\d)([6-9]\d{7})$/

const mexicanMobile = /^521(\d{10})$/
const argentineMobile = /^549(\d{10})$/

/**
 * Returns the digits that all spellings of one phone share: a Brazilian mobile number without its ninth digit gains it, a
 * Mexican one loses its 1 and an Argentine one its 9. U-INB-08, gaps-2 B "Same customer, two spellings"
 */
export const matchKey = (digits: string): string =>
  digits.replace(brazilWithoutNinth, "55$19$2").replace(mexicanMobile, "52$1").replace(argentineMobile, "54$1")

const brazilWithNinth = /^55(\d\d)9([6-9]\d{7})$/

const mexicanKey = /^52(\d{10})$/
const argentineKey = /^54(\d{10})$/

/** Returns every spelling, in digits, with this `matchKey`. U-INB-08, gaps-2 B "Same customer, two spellings" */
export const spellingsOf = (key: string): ReadonlyArray<string> =>
  brazilWithNinth.test(key) ? [key, key.replace(brazilWithNinth, "55$1$2")] : [key, ...formerKeysOf(key)]

/** Returns the keys that a phone had before Mexican and Argentine mobiles had one key in both spellings. U-INB-08 */
export const formerKeysOf = (key: string): ReadonlyArray<string> =>
  mexicanKey.test(key)
    ? [key.replace(mexicanKey, "521$1")]
    : argentineKey.test(key)
      ? [key.replace(argentineKey, "549$1")]
      : []
