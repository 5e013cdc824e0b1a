/**
 * One reading of the true time: `millis` at the counter value `at`, give or take `uncertainty`; all in milliseconds.
 */
export interface ClockReading {
  readonly millis: number
  readonly at: number
  readonly uncertainty: number
}

/** The state of a node's clock. */
export interface ClockStatus {
  /** True when the clock is known to be within `toleranceMillis` of the database's clock. */
  readonly ready: boolean
  /** Milliseconds by which the database was ahead at the last reading. */
  readonly driftMillis: number
  /** The uncertainty of that reading and of the setting in force, in milliseconds. */
  readonly uncertaintyMillis: number
  readonly settingUncertaintyMillis: number
}

/** The largest difference from the database's clock at which a node is ready, in milliseconds. */
export const toleranceMillis = 250

/** Returns the reading of a query sent at `asked` and answered with `millis` at `answered`. */
export const readingOf = (sentAt: number, millis: number, receivedAt: number): ClockReading => ({
  millis,
  at: (sentAt + receivedAt) / 2,
  uncertainty: (receivedAt - sentAt) / 2
})

/** Returns the status right after a reading set the clock. */
export const firstStatus = (reading: ClockReading): ClockStatus => ({
  ready: reading.uncertainty <= toleranceMillis,
  driftMillis: 0,
  uncertaintyMillis: reading.uncertainty,
  settingUncertaintyMillis: reading.uncertainty
})

/**
 * Returns the status after a later reading that is `drift` milliseconds ahead of the clock. The clock is set again only
 * when a reading shows an error beyond the reading's own uncertainty, so a slow answer of a busy database neither moves
 * a good clock nor makes its node unready.
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
