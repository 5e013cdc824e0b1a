import { createHmac, createSecretKey, type KeyObject } from "node:crypto"
import { Context, Layer, Redacted } from "effect"
import { deriveKey, keyIdOf, type MasterKeys } from "./MasterKeys.ts"
import { systemBytes } from "./RandomBytes.ts"
import { makeSealer, openSealed, type Sealer, sealedKeyId } from "./Sealing.ts"

/** The purpose of a key. Each purpose has its own key, so a value made for one is not valid for another. */
export type Purpose =
  | "api_key"
  | "fingerprint"
  | "idempotency_key"
  | "idempotency_response"
  | "cursor"
  | "webhook_secret"
  | "cookie"
  | "capability_url"
  | "sign_in"
  | "speech_key"
  | "client_secret"
  | "device_code"
  | "event"
  | "invite_link"
  | "vendor_webhook"
  | "provider_credential"
  | "registration_pin"
  | "subject"
  | "payment"
  | "request_log"
  | "trace"

/** One text for each master key, the present one's first. */
export type MacTexts = readonly [string, ...ReadonlyArray<string>]

/** A keyed hash that takes its text in pieces. */
export interface OpenMac {
  readonly add: (piece: string) => void
  /** Returns `macTexts` of all pieces together, and ends the hash. */
  readonly texts: () => MacTexts
}

/**
 * Holds all uses of secret keys, derived from `CARTEIRO_MASTER_KEY` by labelled HKDF. Synchronous. gaps-1 C "Storage"
 */
export class Secrets extends Context.Service<
  Secrets,
  {
    /** Returns HMAC-SHA256 under the present key, 32 bytes. */
    mac(purpose: Purpose, data: string | Uint8Array): Uint8Array
    /** Returns HMAC-SHA256 under the present key in base64url, 43 characters. */
    macText(purpose: Purpose, data: string | Uint8Array): string
    /**
     * Returns hashes under the present key and then every older one: after a rotation a stored or presented value may
     * equal any of them.
     */
    macs(purpose: Purpose, data: string | Uint8Array): ReadonlyArray<Uint8Array>
    /** Returns the hashes under all keys in base64url. */
    macTexts(purpose: Purpose, data: string | Uint8Array): MacTexts
    /** Returns the hash of a text that comes in pieces. */
    openMac(purpose: Purpose): OpenMac
    /**
     * Seals with AES-256-GCM; opens only for an equal purpose and an equal `bound` (the row or request it belongs to).
     */
    seal(purpose: Purpose, plaintext: string | Uint8Array, bound: string): Uint8Array
    /** Returns the plaintext, or `undefined` when the bytes, the purpose or `bound` differ from those sealed. */
    open(purpose: Purpose, sealed: Uint8Array, bound: string): string | undefined
    /** Returns the plaintext of `open` as bytes, for plaintexts that are no text. */
    openBytes(purpose: Purpose, sealed: Uint8Array, bound: string): Uint8Array | undefined
  }
>()("@carteiro/secrets/Secrets") {
  /** Takes master keys of 32 bytes, the present one first, then older ones that may still open values. */
  static readonly layer = (masters: Redacted.Redacted<MasterKeys>) =>
    Layer.sync(Secrets, () => makeSecrets(Redacted.value(masters)))
}

interface PurposeKey {
  readonly signing: KeyObject
  readonly sealing: KeyObject
}

/** Keys of all purposes that one master key derives. */
interface DerivedKeys {
  readonly id: number
  keyOf(purpose: Purpose): PurposeKey
}

const derivedFrom = (master: Uint8Array): DerivedKeys => {
  const keys = new Map<Purpose, PurposeKey>()
  return {
    id: keyIdOf(master),
    keyOf: (purpose) => {
      let key = keys.get(purpose)
      if (key === undefined) {
        key = {
          signing: createSecretKey(deriveKey(master, `${purpose}/mac`)),
          sealing: createSecretKey(deriveKey(master, `${purpose}/seal`))
        }
        keys.set(purpose, key)
      }
      return key
    }
  }
}

/** Makes the service itself, for code outside a layer. */
export const makeSecrets = (masters: MasterKeys): Secrets["Service"] => {
  const random = systemBytes()
  const present = derivedFrom(masters[0])
  const older = masters.slice(1).map(derivedFrom)
  const all = [present, ...older]
  const sealers = new Map<Purpose, Sealer>()
  const sealerOf = (purpose: Purpose): Sealer => {
    let sealer = sealers.get(purpose)
    if (sealer === undefined) {
      sealer = makeSealer(present.id, present.keyOf(purpose).sealing, random)
      sealers.set(purpose, sealer)
    }
    return sealer
  }
  const hmac = (key: KeyObject, data: string | Uint8Array) => createHmac("sha256", key).update(data)
  const textUnder = (keys: DerivedKeys, purpose: Purpose, data: string | Uint8Array) =>
    hmac(keys.keyOf(purpose).signing, data).digest("base64url")
  const opened = (purpose: Purpose, sealed: Uint8Array, bound: string) => {
    const id = sealedKeyId(sealed)
    const keys = all.find((candidate) => candidate.id === id)
    return keys === undefined ? undefined : openSealed(keys.keyOf(purpose).sealing, sealed, bound)
  }
  return Secrets.of({
    mac: (purpose, data) => hmac(present.keyOf(purpose).signing, data).digest(),
    macText: (purpose, data) => textUnder(present, purpose, data),
    macs: (purpose, data) => all.map((keys) => hmac(keys.keyOf(purpose).signing, data).digest()),
    macTexts: (purpose, data) => [
      textUnder(present, purpose, data),
      ...older.map((keys) => textUnder(keys, purpose, data))
    ],
    openMac: (purpose) => {
      const under = (keys: DerivedKeys) => createHmac("sha256", keys.keyOf(purpose).signing)
      const first = under(present)
      const others = older.map(under)
      return {
        add: (piece) => {
          for (const mac of [first, ...others]) mac.update(piece)
        },
        texts: () => [first.digest("base64url"), ...others.map((mac) => mac.digest("base64url"))]
      }
    },
    seal: (purpose, plaintext, bound) => sealerOf(purpose)(plaintext, bound),
    open: (purpose, sealed, bound) => opened(purpose, sealed, bound)?.toString("utf8"),
    openBytes: opened
  })
}
