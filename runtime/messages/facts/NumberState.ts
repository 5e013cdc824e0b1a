import type { Bucket } from "../../platform/ratelimit/TokenBucket.ts"
import type { NumberFacts } from "./SendingFacts.ts"

/** What the owner of a number keeps in memory: its buckets, and what it read of the number last. Everything else is rows. */
export interface NumberState {
  /** Sends not yet accepted draw from this one. */
  accept: Bucket | undefined
  /** Messages on their way out draw from this one. */
  send: Bucket | undefined
  /** Undefined until it was read, and while the number is suspended; a commit finds out whether it still holds. */
  number: NumberFacts | undefined
}

/** The buckets as they were saved, or full ones. */
export const readState = (saved: string | undefined): NumberState => {
  const levels = saved === undefined ? {} : (JSON.parse(saved) as Partial<NumberState>)
  return { accept: levels.accept, send: levels.send, number: undefined }
}

/** The buckets as they are saved now and then. */
export const writeState = (state: NumberState): string => JSON.stringify({ accept: state.accept, send: state.send })
