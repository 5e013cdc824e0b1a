import { Schema } from "effect"
import type { Subject } from "../Subject.ts"

declare const opaque: unique symbol

/**
 * An idempotency key that a request holds open. A room passes it with the response to the commit of the request's
 * effect and does not read it: only the engine reads its members. gaps-1 B
 */
export interface Claim {
  readonly [opaque]: "Claim"
}

/** The members of a claim. */
export interface ClaimedKey {
  readonly environment_id: string
  readonly key_hash: string
  readonly fingerprint: string
  /** The epoch millisecond at which the window ends. */
  readonly expires_at: number
}

const claimedKey = Schema.Struct({
  environment_id: Schema.String,
  key_hash: Schema.String,
  fingerprint: Schema.String,
  expires_at: Schema.Number
}) satisfies Schema.Codec<ClaimedKey, unknown>

/** The codec of a claim between nodes. */
export const Claim = claimedKey as unknown as Schema.Codec<Claim, unknown>

export const makeClaim = (key: ClaimedKey): Claim => key as unknown as Claim
export const readClaim = (claim: Claim): ClaimedKey => claim as unknown as ClaimedKey

/** A response as it is stored and replayed: JSON text, byte for byte as it was first sent. A-IDEM-04 */
export interface StoredResponse {
  readonly status: number
  readonly body: string
}

/**
 * The claim of a request, if it has a key, with the response that completes it. The commit of the request's effect
 * stores both.
 */
export interface Completion {
  readonly claim: Claim | undefined
  readonly response: StoredResponse
  /** The customers whose data the response shows: their erasure finds the response by them. gaps-2 I "Erasure" */
  readonly subjects?: ReadonlyArray<Subject> | undefined
}

/**
 * Returns the key and fingerprint of the request behind a claim, for a room whose effect may outlive the request before
 * its response can be stored.
 */
export const requestOf = (claim: Claim): { readonly key: string; readonly fingerprint: string } => {
  const { fingerprint, key_hash } = readClaim(claim)
  return { key: key_hash, fingerprint }
}

/** The time for which a request keeps its key, in milliseconds. A-IDEM-03 */
export const idempotencyWindowMs = 86_400_000
