/** One look at the true time: it was `millis` at the counter's `at`, give or take `uncertainty`; all milliseconds. */
export interface ClockReading {
  readonly millis: number
  readonly at: number
  readonly uncertainty: number
}

/** The state of a node's clock. */
export interface ClockStatus {
  /** Whether the clock is known to be within `toleranceMillis` of the database's. */
  readonly ready: boolean
  /** How far the database was ahead at the last look, in milliseconds. */
  readonly driftMillis: number
  /** How exact that look was, and how exact the setting in force is, in milliseconds. */
  readonly uncertaintyMillis: number
  readonly settingUncertaintyMillis: number
}

/** A node further off than this is not ready. Architecture, section 2 "Time is Clock" */
export const toleranceMillis = 250

/** The reading a question gives that left at `asked` and was answered with `millis` at `answered`. */
export const readingOf = (asked: number, millis: number, answered: number): ClockReading => ({
  millis,
  at: (asked + answered) / 2,
  uncertainty: (answered - asked) / 2
})

/** The status right after the clock was set by a reading. */
export const firstStatus = (reading: ClockReading): ClockStatus => ({
  ready: reading.uncertainty <= toleranceMillis,
  driftMillis: 0,
  uncertaintyMillis: reading.uncertainty,
  settingUncertaintyMillis: reading.uncertainty
})

/**
 * Judges a later reading, `drift` milliseconds ahead of the clock. The clock is set again only by a reading that shows
 * an error beyond its own: a slow answer of a busy database neither moves a good clock nor makes its node unready.
 */
export const statusAfter = (
  status: ClockStatus,
  reading: ClockReading,
  drift: number
): { readonly set: boolean; readonly status: ClockStatus } => {
  const proven = Math.max(0, Math.abs(drift) - reading.uncertainty)
  const set = proven > 0 || reading.uncertainty < status.settingUncertaintyMillis
  const settingUncertaintyMillis = set ? reading.uncertainty : status.settingUncertaintyMillis
  return {
    set,
    status: {
      ready: proven <= toleranceMillis && settingUncertaintyMillis <= toleranceMillis,
      driftMillis: drift,
      uncertaintyMillis: reading.uncertainty,
      settingUncertaintyMillis
    }
  }
}
