import type { Claim, StoredResponse } from "@carteiro/owners/Idempotency.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { IdempotencyKeyInProgress } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect, Exit } from "effect"
import type { Admission, Caller, PresentedKey } from "../admission/Admission.ts"
import { type Reply, rawReply, replayHeader } from "../contract/Reply.ts"

/** Returns a stored response as a replay. */
export const replayed = (replay: StoredResponse): Reply =>
  rawReply(replay.status, replay.body, { [replayHeader]: "true" })

/**
 * Runs the holder of an idempotency key. A failure means that no effect happened (an effect ends in a reply), so it
 * releases the key. When another node completed the key first, `again` finds its stored response. gaps-1 B "What is
 * stored"
 */
export const holdingClaim = <A, R>(
  answer: Effect.Effect<A, ApiError, R>,
  admission: Admission["Service"],
  claim: Claim,
  tries: number,
  again: (tries: number) => Effect.Effect<A, ApiError, R>
): Effect.Effect<A, ApiError, R> =>
  Effect.catchIf(
    Effect.onExit(answer, (exit) => (Exit.isFailure(exit) ? admission.release(claim) : Effect.void)),
    lostTheRace,
    () => (tries < maxAskings ? again(tries + 1) : Effect.fail(new IdempotencyKeyInProgress()))
  )

const maxAskings = 3

// This code never leaves the product.
const lostTheRace = (error: ApiError): boolean => error._tag === "idempotency_duplicate"

/**
 * For handlers that look up their key themselves: returns the stored response, or runs `use` while the key is held
 * open; a request without a key runs at once. gaps-1 A "Order of checks in one request"
 */
export const withClaim = (
  admission: Admission["Service"],
  request: {
    readonly caller: Caller
    readonly operation: string
    readonly idempotencyKey?: PresentedKey
  },
  use: (claim: Claim | undefined) => Effect.Effect<Reply, ApiError>
): Effect.Effect<Reply, ApiError> => {
  const { caller, operation, idempotencyKey } = request
  if (idempotencyKey === undefined) return use(undefined)
  const ask = (asked: number): Effect.Effect<Reply, ApiError> =>
    Effect.flatMap(admission.claim(caller, operation, idempotencyKey), ({ replay, claim }) => {
      if (replay !== undefined) return Effect.succeed(replayed(replay))
      return claim === undefined ? use(undefined) : holdingClaim(use(claim), admission, claim, asked, ask)
    })
  return ask(0)
}
