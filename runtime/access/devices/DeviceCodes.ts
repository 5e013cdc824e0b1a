import { id } from "@carteiro/schema/conventions/Ids.ts"
import { Schema } from "effect"
import { randomText, randomTextBytes } from "../keys/RandomText.ts"

const userAlphabet = "BCDFGHJKLMNPQRSTVWXZ"
const userLength = 8

/** Random bytes a device code is made from. */
export const deviceCodeBytes = 32

/** Random bytes a user code is made from. */
export const userCodeBytes = randomTextBytes(userAlphabet, userLength)

/** `dvc_` and 43 base64url characters of `deviceCodeBytes` random bytes; only its SHA-256 is stored. gaps-1 E */
export const makeDeviceCode = (bytes: Uint8Array): string => `dvc_${Buffer.from(bytes).toString("base64url")}`

/** Whether a text could be a device code at all, so that no read is spent on one that could not. */
export const isDeviceCode = (text: string): boolean => /^dvc_[A-Za-z0-9_-]{43}$/.test(text)

/** Whether a text could name a device request at all. */
export const isDeviceId = Schema.is(id("dva"))

/** Eight letters without vowels, stored without the hyphen. gaps-1 E "Codes and id" */
export const makeUserCode = (bytes: Uint8Array): string => randomText(userAlphabet, userLength, bytes)

/** A stored user code as people read it. */
export const showUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** The stored form of what a person typed, matched without case and hyphen; `undefined` when it can be no user code. */
export const readUserCode = (typed: string): string | undefined => {
  const code = typed.trim().replaceAll("-", "").toUpperCase()
  return code.length === userLength && [...code].every((letter) => userAlphabet.includes(letter)) ? code : undefined
}

/** Where the approver goes. gaps-1 E "Verification page" */
export const verificationAddresses = (dashboardUrl: string, userCode: string) => ({
  verification_uri: `${dashboardUrl}/device`,
  verification_uri_complete: `${dashboardUrl}/device?user_code=${showUserCode(userCode)}`
})
