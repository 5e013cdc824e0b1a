/** Wrong user codes of one dashboard session; instants in milliseconds. */
export interface UserCodeLock {
  readonly wrong_codes: number
  readonly wrong_codes_since: number | null
  readonly locked_until: number | null
}

/** How long wrong codes count, and how long the form is locked. */
export const lockMillis = 900_000

/** So many within that time lock the form. */
export const mostWrongCodes = 10

/** True while the form refuses every code. gaps-1 E "Verification page" */
export const isLocked = (lock: UserCodeLock, now: number): boolean =>
  lock.locked_until !== null && now < lock.locked_until

/**
 * Returns the lock after one more wrong code: ten in 15 minutes lock the form for 15 minutes. gaps-1 E "Verification
 * page"
 */
export const afterWrongCode = (lock: UserCodeLock, now: number): UserCodeLock => {
  const running = lock.wrong_codes_since !== null && now - lock.wrong_codes_since < lockMillis
  const wrong_codes = running ? lock.wrong_codes + 1 : 1
  return wrong_codes >= mostWrongCodes
    ? { wrong_codes: 0, wrong_codes_since: null, locked_until: now + lockMillis }
    : { wrong_codes, wrong_codes_since: running ? lock.wrong_codes_since : now, locked_until: null }
}
