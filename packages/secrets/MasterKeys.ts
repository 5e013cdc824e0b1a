import { hkdfSync } from "node:crypto"

const keyLength = 32

/** Master keys of 32 bytes: the present one first, then older ones that may still open sealed values. */
export type MasterKeys = readonly [Uint8Array, ...ReadonlyArray<Uint8Array>]

/**
 * Reads `CARTEIRO_MASTER_KEY`: keys of 32 bytes in hex or base64 (either alphabet), separated by commas. The first
 * seals and signs; the others only open values sealed before a rotation. `undefined` when any part is not such a key.
 */
export const parseMasterKeys = (text: string): MasterKeys | undefined => {
  const [present, ...older] = text.split(",").map((part) => parseKey(part.trim()))
  if (present === undefined) return undefined
  const known = older.filter((key) => key !== undefined)
  return known.length === older.length ? [present, ...known] : undefined
}

const parseKey = (text: string): Uint8Array | undefined => {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, "hex")
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined
  const key = Buffer.from(text, "base64")
  return key.length === keyLength ? key : undefined
}

/** Returns one 32-byte key derived from a master key, independent of every other label's. */
export const deriveKey = (master: Uint8Array, label: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", master, "", `carteiro/v1/${label}`, keyLength))

/** Returns the number that names a master key inside sealed values and reveals nothing about it. */
export const keyIdOf = (master: Uint8Array): number =>
  Buffer.from(hkdfSync("sha256", master, "", "carteiro/v1/key id", 4)).readUInt32BE(0)
