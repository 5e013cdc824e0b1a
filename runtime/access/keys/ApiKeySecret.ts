import { crc32 } from "node:zlib"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import { randomText, randomTextBytes } from "./RandomText.ts"

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const randomLength = 32
const checksumLength = 6
const prefixLength = 8
const shape = /^svc_(live|sbx)_[0-9A-Za-z]{38}$/

/** The number of random bytes for one secret. */
export const secretBytes = randomTextBytes(base62, randomLength)

/** The parts of a well-formed secret that need no read. */
export interface ParsedSecret {
  readonly secret: string
  readonly environment: EnvironmentKind
  /**
   * The environment marker and the first 8 random characters; the only part that a log may hold. gaps-1 C "API key
   * format"
   */
  readonly key_prefix: string
}

/**
 * Returns a new secret from `secretBytes` random bytes: marker, 32 characters, 6 of checksum. gaps-1 C "API key format"
 */
export const makeSecret = (environment: EnvironmentKind, bytes: Uint8Array): ParsedSecret => {
  const body = marker(environment) + randomText(base62, randomLength, bytes)
  const secret = body + checksum(body)
  return { secret, environment, key_prefix: keyPrefix(secret) }
}

/** Returns the parts of a secret whose shape and checksum hold; `undefined` for anything else, which costs no read. */
export const parseSecret = (text: string): ParsedSecret | undefined => {
  const match = shape.exec(text)
  if (match === null) return undefined
  const body = text.slice(0, -checksumLength)
  if (text.slice(-checksumLength) !== checksum(body)) return undefined
  return { secret: text, environment: match[1] === "live" ? "production" : "sandbox", key_prefix: keyPrefix(text) }
}

const marker = (environment: EnvironmentKind): string => (environment === "production" ? "svc_live_" : "svc_sbx_")

const keyPrefix = (secret: string): string => secret.slice(0, secret.lastIndexOf("_") + 1 + prefixLength)

const checksum = (body: string): string => {
  let rest = crc32(body)
  let text = ""
  for (let i = 0; i < checksumLength; i++) {
    text = base62.charAt(rest % 62) + text
    rest = Math.floor(rest / 62)
  }
  return text
}

const bearer = /^bearer +(\S+)$/i

/** Why no key can be read from the Authorization headers of a request. */
export type UnreadableKey = "no_header" | "several_headers" | "other_scheme" | "malformed"

/** Returns why the headers present no key. */
export const unreadableKey = (headers: ReadonlyArray<string>): UnreadableKey => {
  if (headers.length > 1) return "several_headers"
  const header = (headers[0] ?? "").trim()
  if (header === "") return "no_header"
  return /^bearer(?: |$)/i.test(header) ? "malformed" : "other_scheme"
}

/**
 * Returns the key of a request from all its Authorization headers: exactly one, `Bearer` in any case, a well-formed
 * secret. `undefined` otherwise, which always leads to 401. A-AUTH-03, A-AUTH-04, gaps-1 C "401 details"
 */
export const presentedSecret = (headers: ReadonlyArray<string>): ParsedSecret | undefined => {
  if (headers.length !== 1) return undefined
  const match = bearer.exec((headers[0] as string).trim())
  return match === null ? undefined : parseSecret(match[1] as string)
}
