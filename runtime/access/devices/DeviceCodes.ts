import { id } from "@carteiro/schema/conventions/Ids.ts"
import { Schema } from "effect"
import { randomText, randomTextBytes } from "../keys/RandomText.ts"

const userAlphabet = "BCDFGHJKLMNPQRSTVWXZ"
const userLength = 8

/** The number of random bytes in a device code. */
export const deviceCodeBytes = 32

/** The number of random bytes for a user code. */
export const userCodeBytes = randomTextBytes(userAlphabet, userLength)

/**
 * Returns `dvc_` and 43 base64url characters of `deviceCodeBytes` random bytes; only its SHA-256 is stored. gaps-1 E
 */
export const makeDeviceCode = (bytes: Uint8Array): string => `dvc_${Buffer.from(bytes).toString("base64url")}`

/** True when a text has the form of a device code; any other text costs no read. */
export const isDeviceCode = (text: string): boolean => /^dvc_[A-Za-z0-9_-]{43}$/.test(text)

/** True when a text has the form of a device request's id. */
export const isDeviceId = Schema.is(id("dva"))

/** Returns eight letters without vowels, stored without the hyphen. gaps-1 E "Codes and id" */
export const makeUserCode = (bytes: Uint8Array): string => randomText(userAlphabet, userLength, bytes)

/** Returns a stored user code as people read it. */
export const showUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** Returns the stored form of a typed user code, regardless of case and hyphen; `undefined` when it cannot be one. */
export const readUserCode = (typed: string): string | undefined => {
  const code = typed.trim().replaceAll("-", "").toUpperCase()
  return code.length === userLength && [...code].every((letter) => userAlphabet.includes(letter)) ? code : undefined
}

/** Returns the addresses at which a person approves. gaps-1 E "Verification page" */
export const verificationAddresses = (dashboardUrl: string, userCode: string) => ({
  verification_uri: `${dashboardUrl}/device`,
  verification_uri_complete: `${dashboardUrl}/device?user_code=${showUserCode(userCode)}`
})
