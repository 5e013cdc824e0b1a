import type { MacTexts, Secrets } from "@carteiro/secrets/Secrets.ts"
import { Schema } from "effect"
import { type Claim, idempotencyWindowMs, makeClaim, readClaim } from "./Claim.ts"

const hashed = { key_hash: Schema.String, fingerprint: Schema.String }
const HashedKey = Schema.Struct(hashed)

/** An idempotency key and the request's fingerprint, hashed under one master key. */
export type HashedKey = typeof HashedKey.Type

/**
 * The hashes under the present master key; `older` holds those under earlier keys, since a record may be older than a
 * change of key.
 */
export const HashedKeys = Schema.Struct({ ...hashed, older: Schema.UndefinedOr(Schema.Array(HashedKey)) })
export type HashedKeys = typeof HashedKeys.Type

/**
 * Returns the hashes of a key within its scope: the environment, the operation and, where it counts, the API key.
 * gaps-1 B
 */
export const hashKey = (
  secrets: Secrets["Service"],
  scope: readonly [environmentId: string, operation: string, apiKeyId: string],
  { fingerprints, key }: { readonly key: string; readonly fingerprints: MacTexts }
): HashedKeys => {
  const [key_hash, ...before] = secrets.macTexts("idempotency_key", [...scope, key].join("\n"))
  const [fingerprint, ...older] = fingerprints
  return {
    key_hash,
    fingerprint,
    // In most installations there is one master key, and no older hash to look for.
    older:
      before.length === 0
        ? undefined
        : before.map((key_hash, at) => ({ key_hash, fingerprint: older[at] ?? fingerprint }))
  }
}

/** Returns every hash that records of these keys may be stored under, each once. */
export const hashesOf = (keys: Iterable<HashedKeys | undefined>): ReadonlyArray<string> => {
  const hashes = new Set<string>()
  for (const key of keys) {
    if (key === undefined) continue
    hashes.add(key.key_hash)
    for (const { key_hash } of key.older ?? []) hashes.add(key_hash)
  }
  return [...hashes]
}

/** An idempotency record as stored. */
export interface StoredRecord extends HashedKey {
  readonly status: "in_progress" | "completed"
  readonly response_status: number | null
  readonly response_body: Uint8Array | null
  /** The epoch millisecond at which the record expires. */
  readonly expires_at: number
}

/** An idempotency key whose request is running. */
export interface OpenClaim {
  readonly fingerprint: string
  /** The epoch millisecond after which the request that opened the key cannot run any more. */
  readonly until: number
}

/** The decision about a request by its key: it runs, waits, gets the stored response, or is refused. */
export type ClaimVerdict =
  | { readonly _tag: "Run" }
  | { readonly _tag: "Replay"; readonly record: StoredRecord }
  /**
   * `conflict`: the key was used with a different request. `in_progress`: the first request with the key still runs.
   * `completed` is true when the key's stored response belongs to another request.
   */
  | { readonly _tag: "Refuse"; readonly reason: "conflict" | "in_progress"; readonly completed: boolean }

/**
 * The longest time a request may run. A claim that was not released is free after it, because its commit would be
 * refused by then.
 */
const claimLeaseMs = 20_000

/**
 * Returns the verdict on a key from the request that holds it open and the record stored under it. An expired record
 * never blocks, whether or not it was purged. A-IDEM-04..09, gaps-1 B
 */
export const judgeClaim = (
  keys: HashedKeys,
  open: ReadonlyMap<string, OpenClaim>,
  records: ReadonlyMap<string, StoredRecord>,
  now: number
): ClaimVerdict => {
  const verdict = judgeHash(keys, open, records, now)
  if (keys.older === undefined || verdict._tag !== "Run") return verdict
  for (const older of keys.older) {
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
    if (record.fingerprint !== fingerprint) return { _tag: "Refuse", reason: "conflict", completed }
    if (completed) return { _tag: "Replay", record }
    return { _tag: "Refuse", reason: "in_progress", completed }
  }
  const running = open.get(key_hash)
  if (running !== undefined && running.until > now) {
    const same = running.fingerprint === fingerprint
    return { _tag: "Refuse", reason: same ? "in_progress" : "conflict", completed: false }
  }
  return { _tag: "Run" }
}

/** Holds the keys of one environment whose requests run; its owner keeps them in memory. */
export class OpenClaims {
  private readonly open = new Map<string, OpenClaim>()

  /** Returns the verdict on a key; a request without a key runs. */
  judge(key: HashedKeys | undefined, records: ReadonlyMap<string, StoredRecord>, now: number): ClaimVerdict {
    return key === undefined ? { _tag: "Run" } : judgeClaim(key, this.open, records, now)
  }

  /** Holds the key open for its request. */
  hold(environment_id: string, { fingerprint, key_hash }: HashedKeys, now: number): Claim {
    this.open.set(key_hash, { fingerprint, until: now + claimLeaseMs })
    return makeClaim({ environment_id, key_hash, fingerprint, expires_at: now + idempotencyWindowMs })
  }

  release(claim: Claim): void {
    this.open.delete(readClaim(claim).key_hash)
  }

  /** Forgets the claims that were not released in time. */
  sweep(now: number): void {
    for (const [key, { until }] of this.open) if (until <= now) this.open.delete(key)
  }
}
