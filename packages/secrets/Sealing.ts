import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject } from "node:crypto"
import type { RandomBytes } from "./RandomBytes.ts"

// version 1 | master key id 4 | salt 16 | nonce 12 | tag 16 | ciphertext
const version = 1
const saltAt = 5
const nonceAt = saltAt + 16
const tagAt = nonceAt + 12
const bodyAt = tagAt + 16

/**
 * A random 96-bit nonce is safe for 2^32 messages under one key, which a busy node reaches in days. Each sealer
 * therefore uses a key from its own salt and takes a new salt long before that.
 */
const sealsPerSalt = 2 ** 24

/** Seals a plaintext for `bound`, which must be given again to open it. */
export type Sealer = (plaintext: string | Uint8Array, bound: string) => Uint8Array

const saltedKey = (key: KeyObject, salt: Uint8Array): KeyObject =>
  createSecretKey(createHmac("sha256", key).update(salt).digest())

/** Makes a sealer of one purpose; `keyId` names the master key in every sealed value so that keys can rotate. */
export const makeSealer = (keyId: number, key: KeyObject, random: RandomBytes): Sealer => {
  const header = Buffer.alloc(nonceAt)
  header.writeUInt8(version, 0)
  header.writeUInt32BE(keyId, 1)
  let working: KeyObject | undefined
  let seals = 0
  return (plaintext, bound) => {
    if (working === undefined || seals >= sealsPerSalt) {
      header.set(random.next(16), saltAt)
      working = saltedKey(key, header.subarray(saltAt, nonceAt))
      seals = 0
    }
    seals++
    const nonce = random.next(12).slice()
    const cipher = createCipheriv("aes-256-gcm", working, nonce)
    cipher.setAAD(Buffer.from(bound, "utf8"))
    const body = typeof plaintext === "string" ? cipher.update(plaintext, "utf8") : cipher.update(plaintext)
    cipher.final()
    return Buffer.concat([header, nonce, cipher.getAuthTag(), body])
  }
}

/** Returns the id of the master key that a sealed value names; `undefined` for bytes of no known version. */
export const sealedKeyId = (sealed: Uint8Array): number | undefined =>
  sealed.length >= bodyAt && sealed[0] === version ? view(sealed).readUInt32BE(1) : undefined

/** Opens a value that a sealer of this key sealed for this `bound`; `undefined` for any other value. */
export const openSealed = (key: KeyObject, sealed: Uint8Array, bound: string): Buffer | undefined => {
  const bytes = view(sealed)
  const working = saltedKey(key, bytes.subarray(saltAt, nonceAt))
  const decipher = createDecipheriv("aes-256-gcm", working, bytes.subarray(nonceAt, tagAt), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(bound, "utf8"))
  decipher.setAuthTag(bytes.subarray(tagAt, bodyAt))
  const plaintext = decipher.update(bytes.subarray(bodyAt))
  try {
    decipher.final()
  } catch {
    return undefined
  }
  return plaintext
}

const view = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
