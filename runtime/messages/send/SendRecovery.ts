/** How long a queued message may wait before it fails, in milliseconds. gaps-2 D "Queue-expiry bound and stale sends" */
export const queueBoundMs = 24 * 60 * 60 * 1000

/** How long an attempt may stay without a result. M-DLV-22 */
export const staleSendMs = 60 * 1000

/** How long an ambiguous attempt waits for a status that resolves it. gaps-2 D "Queue-expiry bound and stale sends" */
export const unconfirmedBoundMs = 24 * 60 * 60 * 1000

/** The instant a message leaves the queue for good; a held one never does. gaps-2 D */
export const queueExpiresAt = (message: {
  readonly created_at: number
  readonly released_at: number | null
  readonly held: boolean
}): number | undefined => (message.held ? undefined : (message.released_at ?? message.created_at) + queueBoundMs)

/** What to do with a message found `sending`. */
export type Recovery =
  | { readonly _tag: "Wait"; readonly until: number }
  /** Nothing was written upstream: it may be sent again. M-DLV-22 */
  | { readonly _tag: "Requeue" }
  /** The provider may have it: never replayed. M-DLV-23 */
  | { readonly _tag: "Unconfirm" }
  /** Failed `provider_send_result_missing`. M-DLV-21 */
  | { readonly _tag: "GiveUp" }

/** Judges an attempt without a result; instants are epoch milliseconds. gaps-2 D "Queue-expiry bound and stale sends" */
export const recoverSend = (
  attempt: {
    readonly sending_since: number
    /** False only when it is certain that no byte left for the provider. */
    readonly bytes_written: boolean
    readonly expires_at: number
    readonly delivery_unconfirmed_at: number | null
  },
  now: number
): Recovery => {
  if (attempt.delivery_unconfirmed_at !== null) {
    const until = attempt.delivery_unconfirmed_at + unconfirmedBoundMs
    return now < until ? { _tag: "Wait", until } : { _tag: "GiveUp" }
  }
  const stale = attempt.sending_since + staleSendMs
  if (now < stale) return { _tag: "Wait", until: stale }
  if (attempt.bytes_written) return { _tag: "Unconfirm" }
  return now < attempt.expires_at ? { _tag: "Requeue" } : { _tag: "GiveUp" }
}
