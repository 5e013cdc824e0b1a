import { OpenClaims } from "@carteiro/owners/Idempotency.ts"
import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { Bucket } from "../../ratelimit/TokenBucket.ts"
import { forgetFull } from "./AdmissionTokens.ts"

/** The memory of an environment's owner. */
export interface AdmissionMemory {
  readonly organizationId: string
  readonly buckets: Map<string, Bucket>
  claims: OpenClaims
  /** How often the sandbox was reset, as read last. */
  resets: number
  /** When each key's last-used instant was last written. */
  readonly touched: Map<string, number>
  /** When expired entries were last removed. */
  prunedAt: number
}

/** The shortest interval between two writes of a key's last-used instant, in milliseconds. */
export const touchEveryMs = 60_000

const forgetBucketsAfterMs = 2 * hourMs
const pruneEveryMs = 60_000

/** Returns the memory of an owner that has just started. */
export const makeMemory = (organizationId: string, buckets: Map<string, Bucket>): AdmissionMemory => ({
  organizationId,
  buckets,
  claims: new OpenClaims(),
  resets: 0,
  touched: new Map(),
  prunedAt: 0
})

/** Forgets open idempotency keys of before a reset of the sandbox, whose stored responses are deleted. */
export const enterResets = (memory: AdmissionMemory, resets: number): void => {
  if (memory.resets === resets) return
  memory.resets = resets
  memory.claims = new OpenClaims()
}

/**
 * Removes expired entries once a minute, also when no bucket is used: an owner that is never idle never leaves memory.
 */
export const prune = (memory: AdmissionMemory, now: number): void => {
  if (now - memory.prunedAt < pruneEveryMs) return
  memory.prunedAt = now
  forgetFull(memory.buckets, now, forgetBucketsAfterMs)
  memory.claims.sweep(now)
  for (const [keyId, at] of memory.touched) if (now - at >= touchEveryMs) memory.touched.delete(keyId)
}
