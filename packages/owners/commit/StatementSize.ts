/** Units of one statement at most, however fast the database is. */
const most = 512
/** And at least, however slow it is: a flush costs the same for few. */
const least = 96
/** How long a statement may take, in milliseconds: whoever comes while it runs waits for the rest of it, and for his own. */
const aimMs = 12
/** A statement of fewer says nothing of what a unit costs. */
const telling = 48

/**
 * How many units one statement takes: as many as lately took twelve milliseconds, so that a neighbour's single send does not
 * wait for a long one of somebody's thousands. Architecture, section 9
 */
export class StatementSize {
  private units = most

  get limit(): number {
    return Math.round(this.units)
  }

  /** Learns from a statement of so many units. */
  took(units: number, millis: number): void {
    if (units < telling) return
    const fitting = millis <= 0 ? most : (units * aimMs) / millis
    this.units = Math.min(most, Math.max(least, (3 * this.units + fitting) / 4))
  }
}
