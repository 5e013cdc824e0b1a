import { ApiErrorCodec } from "@carteiro/schema/conventions/ApiError.ts"
import { Option, Schema } from "effect"
import type { Outcome } from "../protocol/Behaviour.ts"

/** The kinds of message, given by the first element. A change of one needs another version of the link. */
export const says = {
  /** From a runner: these operations have the numbers from this one on. */
  operations: 0,
  /** From a caller: one call. */
  call: 1,
  /** From a runner: the outcomes of a call. */
  answer: 2,
  /**
   * From a runner: the owner is not here, or not under that epoch, or its answer is too long. No further message
   * follows for the call.
   */
  elsewhere: 3,
  /** From a runner: too many calls of this caller wait. */
  overload: 4
} as const

export type OperationsMessage = readonly [typeof says.operations, first: number, keys: ReadonlyArray<string>]

export type CallMessage = readonly [
  typeof says.call,
  call: number,
  operation: number,
  shard: number,
  /** The epoch under which the caller expects the shard to be held; 0 while it knows none. */
  epoch: number,
  id: string,
  /** The epoch millisecond at which the caller stops waiting. */
  deadline: number,
  items: ReadonlyArray<unknown>,
  traced?: ReadonlyArray<string>
]

export type AnswerMessage = readonly [
  typeof says.answer,
  call: number,
  epoch: number,
  outcomes: ReadonlyArray<WireOutcome>
]

export type RefusalMessage = readonly [typeof says.elsewhere | typeof says.overload, call: number]

/** An outcome in JSON: the members of a refusal, or an empty object for an answer that is undefined. */
export type WireOutcome =
  | { readonly ok?: unknown }
  | { readonly error: unknown }
  | Extract<Outcome<unknown>, { readonly retry: unknown }>
  | Extract<Outcome<unknown>, { readonly defect: unknown }>

const ErrorJson = Schema.toCodecJson(ApiErrorCodec)
const encodeError = Schema.encodeSync(ErrorJson)
const decodeError = Schema.decodeUnknownOption(ErrorJson)

/** Returns an outcome in its form for the link. */
export const toWire = (outcome: Outcome<unknown>): WireOutcome =>
  "error" in outcome ? { error: encodeError(outcome.error) } : outcome

/** Returns the outcome that the other end sent. */
export const fromWire = (outcome: WireOutcome): Outcome<unknown> => {
  if ("error" in outcome)
    return Option.match(decodeError(outcome.error), {
      // The other end sent a kind that this release does not know.
      onNone: () => ({ defect: "an unknown refusal of another node" }),
      onSome: (error) => ({ error })
    })
  if ("retry" in outcome) return outcome
  if ("defect" in outcome) return outcome
  return { ok: outcome.ok }
}
