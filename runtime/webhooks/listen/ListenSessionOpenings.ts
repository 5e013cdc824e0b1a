import { type ApiError, isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { emptyBucket } from "../../ratelimit/EmptyBucket.ts"
import { type Bucket, type Rate, take } from "../../ratelimit/TokenBucket.ts"
import { createSession, type ListenSession, statusAt } from "./ListenSession.ts"

/** A POST on its way to the environment's owner. */
export interface OpenRequest {
  readonly id: string
  readonly api_key_id: string
  readonly trace_id: string
  readonly ttl_seconds: number | undefined
  readonly reason: string | null
  /** The arrival, epoch milliseconds: the session's `created_at`. */
  readonly at: number
}

/** The status of a stored session. */
export interface StoredStatus {
  readonly status: "active" | "disabled" | "expired"
  readonly disabled_at: number | null
}

/** A session to be written, with the one that it replaces. */
export interface MadeSession {
  readonly session: ListenSession
  readonly stored: StoredStatus
  readonly reason: string | null
  /** The session stored as active until now. */
  readonly ended: (StoredStatus & { readonly id: string }) | undefined
}

/** The owner's state before a batch of requests: the session made last, and the bucket of the environment. */
export interface OpeningState {
  readonly latest: ListenSession | undefined
  readonly bucket: Bucket | undefined
}

/** The results in the order of the requests; a request that was written before gets its own session. */
export type Opening = ApiError | { readonly session: ListenSession; readonly made: MadeSession | undefined }

/**
 * Decides a batch of POSTs in their order. A token is taken only for a session that is made, in the same step, so that
 * no refusal costs one. A session that a later request of the batch replaces is made and ended in one write.
 * A-LSS-13..21
 */
export const openSessions = (
  before: OpeningState,
  requests: ReadonlyArray<OpenRequest>,
  keyEnds: ReadonlyMap<string, number>,
  rate: Rate | undefined
): { readonly openings: ReadonlyArray<Opening>; readonly after: OpeningState } => {
  let { latest, bucket } = before
  const made: Array<MadeSession> = []
  const decided = requests.map((request): ApiError | ListenSession => {
    if (latest?.id === request.id) return latest
    const known = latest && withKeyEnd(latest, keyEnds)
    const decision = createSession(
      known,
      {
        id: request.id,
        api_key_id: request.api_key_id,
        trace_id: request.trace_id,
        key_ends_at: keyEnds.get(request.api_key_id) ?? null,
        ttl_seconds: request.ttl_seconds
      },
      request.at
    )
    if (decision.kind === "refuse") return decision.error
    if (rate !== undefined) {
      const taken = take(bucket, rate, request.at)
      bucket = taken.bucket
      if (!taken.taken) return emptyBucket("listen_session_create", "environment", taken.retryAfterMs)
    }
    const ended = decision.replaced ?? known
    const end = ended && { id: ended.id, ...storedStatus(ended, request.at) }
    const previous = made.at(-1)
    if (previous !== undefined && end !== undefined) made[made.length - 1] = { ...previous, stored: end }
    made.push({
      session: decision.session,
      stored: { status: "active", disabled_at: null },
      reason: request.reason,
      ended: previous === undefined ? end : undefined
    })
    latest = decision.session
    return decision.session
  })
  const openings = decided.map((outcome): Opening => {
    if (isApiError(outcome)) return outcome
    return { session: outcome, made: made.find((one) => one.session.id === outcome.id) }
  })
  return { openings, after: { latest, bucket } }
}

/** Returns the session with the known end of its owning key. gaps-1 L "Ending a session" */
export const withKeyEnd = (session: ListenSession, keyEnds: ReadonlyMap<string, number>): ListenSession => ({
  ...session,
  key_ends_at: keyEnds.get(session.api_key_id) ?? null
})

/** Returns the stored status of a session at an instant. gaps-1 L "Ending a session" */
export const storedStatus = (session: ListenSession, now: number): StoredStatus => {
  const status = statusAt(session, now)
  return { status, disabled_at: status === "disabled" ? (session.disabled_at ?? session.key_ends_at) : null }
}
