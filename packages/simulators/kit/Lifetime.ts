/** A simulator that runs in this process. */
export interface Hosted {
  readonly url: string
  /** Takes what the simulator could not know when it started. */
  readonly told: (message: unknown) => void
  readonly stop: () => Promise<void>
}

/** One that a command line starts, with the words behind its name. */
export interface Program {
  /** Its line in the help, and its options. */
  readonly usage: string
  readonly start: (words: ReadonlyArray<string>) => Promise<Hosted>
}

/** Milliseconds since the epoch: a vendor lives by a clock of its own. */
export const vendorClock = (): number => Math.floor(performance.timeOrigin + performance.now())
