import { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Schema } from "effect"
import type { Subject } from "../Subject.ts"

declare const opaque: unique symbol

/**
 * An idempotency key that a request holds open. A room hands it to the commit of the request's effect together with the
 * response, and looks no further: what is in it only the platform reads. gaps-1 B
 */
export interface Claim {
  readonly [opaque]: "Claim"
}

/** The members of a claim. */
export interface ClaimedKey {
  readonly environment_id: string
  readonly key_hash: string
  readonly fingerprint: string
  /** Epoch milliseconds at which the window ends. */
  readonly expires_at: number
}

const claimedKey = Schema.Struct({
  environment_id: Schema.String,
  key_hash: Schema.String,
  fingerprint: Schema.String,
  expires_at: Schema.Number
}) satisfies Schema.Codec<ClaimedKey, unknown>

/** A claim on its way from node to node. */
export const Claim = claimedKey as unknown as Schema.Codec<Claim, unknown>

export const makeClaim = (key: ClaimedKey): Claim => key as unknown as Claim
export const readClaim = (claim: Claim): ClaimedKey => claim as unknown as ClaimedKey

/** A response as it is stored and replayed: JSON text, byte for byte what was first sent. A-IDEM-04 */
export interface StoredResponse {
  readonly status: number
  readonly body: string
}

/** The claim of a request, if it brought a key, with the response that completes it. The effect's own commit stores it. */
export interface Completion {
  readonly claim: Claim | undefined
  readonly response: StoredResponse
  /** The customers whose data the response shows: it is found by them when they are erased. gaps-2 I "Erasure" */
  readonly subjects?: ReadonlyArray<Subject> | undefined
}

/**
 * The idempotency key was taken by another request between admission and commit. Nothing was written; the pipeline asks
 * admission again, which finds the record to replay. Nobody outside ever sees this code.
 */
export class IdempotencyDuplicate extends ApiError<"idempotency_duplicate"> {
  constructor() {
    super({ _tag: "idempotency_duplicate", status: 409, type: "idempotency_conflict" })
  }
}

/** Names the request behind a key, for a room whose effect may outlive the request before its answer can be stored. */
export const requestOf = (claim: Claim): { readonly key: string; readonly fingerprint: string } => {
  const { fingerprint, key_hash } = readClaim(claim)
  return { key: key_hash, fingerprint }
}

/** How long a request keeps its key, in milliseconds. A-IDEM-03 */
export const idempotencyWindowMs = 24 * 3_600_000
