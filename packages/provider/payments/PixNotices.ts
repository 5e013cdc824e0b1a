import type { Effect, Redacted } from "effect"

/** A vendor's call about an account, before anything of it is believed. */
export interface PixNoticeCall {
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The query, without its question mark. */
  readonly search: string
  /** The last part of an address that only the vendor knows; null at the plain address. */
  readonly token: string | null
  readonly body: Uint8Array
  /** Epoch milliseconds. */
  readonly now: number
}

/** A call that is proven to be the vendor's. */
export interface ProvenNotice {
  /** The same for a repeated call; undefined where the vendor gives nothing to tell repeats by. */
  readonly id: string | undefined
}

/**
 * How a vendor tells of its charges. A notice is a hint: it is stored before it is answered, and only what the vendor
 * shows afterwards counts. gaps-3 G "Trust in webhook content"
 */
export interface PixNotices {
  /** Returns the address that the vendor is to call, below the plain one of the account. */
  readonly url: (receiver: string, secret: Redacted.Redacted | undefined) => string
  /** Returns what a call is; undefined unless one of the secrets proves it. Several secrets during a rotation. */
  readonly prove: (call: PixNoticeCall, secrets: ReadonlyArray<Redacted.Redacted>) => ProvenNotice | undefined
  /** Returns our ids of the charges that a stored call is about; undefined while the vendor does not say. */
  readonly about: (key: Redacted.Redacted, body: Uint8Array) => Effect.Effect<ReadonlyArray<string> | undefined>
}
