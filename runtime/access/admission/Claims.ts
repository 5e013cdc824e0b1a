import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { IdempotencyKeyConflict, IdempotencyKeyInProgress } from "@carteiro/schema/conventions/SharedErrors.ts"

/** An idempotency key and its request, hashed under one master key. */
export interface HashedKey {
  readonly key_hash: string
  readonly fingerprint: string
}

/** Under the present master key; `older` under those before it, since a record may be older than a change of key. */
export interface HashedKeys extends HashedKey {
  readonly older?: ReadonlyArray<HashedKey> | undefined
}

/** An idempotency record as stored. */
export interface StoredRecord extends HashedKey {
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
  /** `completed` tells that an answer is stored under the key, to another request. */
  | { readonly _tag: "Refuse"; readonly error: ApiError; readonly completed: boolean }

/** Window within which a key replays. A-IDEM-03 */
export const idempotencyWindowMs = 24 * 3_600_000

/** Longest a request may run; a claim nobody released is free after it, since its commit would be refused by then. */
export const claimLeaseMs = 20_000

/**
 * Judges a key by the request holding it open and the record stored under it. An expired record never blocks, swept or
 * not. A-IDEM-04..09, gaps-1 B
 */
export const judgeClaim = (
  asked: HashedKeys,
  open: ReadonlyMap<string, OpenClaim>,
  records: ReadonlyMap<string, StoredRecord>,
  now: number
): ClaimVerdict => {
  const verdict = judgeHash(asked, open, records, now)
  if (asked.older === undefined || verdict._tag !== "Run") return verdict
  for (const older of asked.older) {
    const found = judgeHash(older, open, records, now)
    if (found._tag !== "Run") return found
  }
  return verdict
}

const judgeHash = (
  { fingerprint, key_hash }: HashedKey,
  open: ReadonlyMap<string, OpenClaim>,
  records: ReadonlyMap<string, StoredRecord>,
  now: number
): ClaimVerdict => {
  const record = records.get(key_hash)
  if (record !== undefined && record.expires_at > now) {
    const completed = record.status === "completed"
    if (record.fingerprint !== fingerprint) return { _tag: "Refuse", error: new IdempotencyKeyConflict(), completed }
    if (completed) return { _tag: "Replay", record }
    return { _tag: "Refuse", error: new IdempotencyKeyInProgress(), completed }
  }
  const running = open.get(key_hash)
  if (running !== undefined && running.until > now) {
    const same = running.fingerprint === fingerprint
    const error = same ? new IdempotencyKeyInProgress() : new IdempotencyKeyConflict()
    return { _tag: "Refuse", error, completed: false }
  }
  return { _tag: "Run" }
}
