/** The most units in one statement, however fast the database is. */
const most = 512
/** The lowest limit, however slow the database is: a flush costs as much for a few units. */
const least = 96
/**
 * The time one statement should take, in milliseconds: units that arrive while it runs wait for the rest of it, and for
 * their own.
 */
const aimMs = 12
/** A statement of fewer units says nothing about the cost of a unit. */
const telling = 48

/**
 * The number of units that one statement takes: as many as recently took twelve milliseconds, so that a single send
 * does not wait for a long statement with a neighbour's thousands.
 */
export class StatementSize {
  private units = most

  get limit(): number {
    return Math.round(this.units)
  }

  /** Learns from the duration of a statement of so many units. */
  took(units: number, millis: number): void {
    if (units < telling) return
    const fitting = millis <= 0 ? most : (units * aimMs) / millis
    this.units = Math.min(most, Math.max(least, (3 * this.units + fitting) / 4))
  }
}
