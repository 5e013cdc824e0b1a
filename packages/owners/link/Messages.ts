import type { WireOutcome } from "../protocol/WireOutcome.ts"

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
