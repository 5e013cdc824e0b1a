import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { IdempotencyKeyConflict, IdempotencyKeyInProgress } from "@carteiro/schema/conventions/SharedErrors.ts"

/** An idempotency record as stored. */
export interface StoredRecord {
  readonly key_hash: string
  readonly fingerprint: string
  readonly status: "in_progress" | "completed"
  readonly response_status: number | null
  readonly response_body: Uint8Array | null
  /** Epoch milliseconds. */
  readonly expires_at: number
}

/** An idempotency key whose request is running. */
export interface OpenClaim {
  readonly fingerprint: string
  /** Epoch milliseconds after which the request that opened it cannot be running any more. */
  readonly until: number
}

/** What a key asks of the request that brings it. */
export type ClaimVerdict =
  | { readonly _tag: "Run" }
  | { readonly _tag: "Replay"; readonly record: StoredRecord }
  | { readonly _tag: "Refuse"; readonly error: ApiError }

/** Window within which a key replays. A-IDEM-03 */
export const idempotencyWindowMs = 24 * 3_600_000

/** Longest a request may run; a claim nobody released is free after it, since its commit would be refused by then. */
export const claimLeaseMs = 20_000

/**
 * Judges a key by the request holding it open and the record stored under it. An expired record never blocks, swept or
 * not. A-IDEM-04..09, gaps-1 B
 */
export const judgeClaim = (
  fingerprint: string,
  open: OpenClaim | undefined,
  record: StoredRecord | undefined,
  now: number
): ClaimVerdict => {
  if (record !== undefined && record.expires_at > now) {
    if (record.fingerprint !== fingerprint) return { _tag: "Refuse", error: new IdempotencyKeyConflict() }
    if (record.status === "completed") return { _tag: "Replay", record }
    return { _tag: "Refuse", error: new IdempotencyKeyInProgress() }
  }
  if (open !== undefined && open.until > now) {
    return {
      _tag: "Refuse",
      error: open.fingerprint === fingerprint ? new IdempotencyKeyInProgress() : new IdempotencyKeyConflict()
    }
  }
  return { _tag: "Run" }
}
