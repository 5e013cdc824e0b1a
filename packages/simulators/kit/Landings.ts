import { Timers } from "./Timers.ts"

/** Creates on their way: one whose connection was cut arrives later, and what has arrived is not found at once. */
export class Landings {
  private readonly onTheirWay = new Map<string, { readonly at: number; readonly land: () => void }>()
  private readonly landedAt = new Map<string, number>()
  private readonly timers = new Timers()
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  /** Returns whether a create of this name is on its way. */
  has(name: string): boolean {
    this.landDue()
    return this.onTheirWay.has(name)
  }

  /** Lands a create after so many milliseconds. */
  later(name: string, millis: number, land: () => void): void {
    this.onTheirWay.set(name, { at: this.now() + millis, land })
    this.timers.after(millis, () => this.land(name))
  }

  /** Lands what is due by the simulator's clock, which a test may turn ahead of its timers. */
  landDue(): void {
    for (const [name, { at }] of this.onTheirWay) if (at <= this.now()) this.land(name)
  }

  /** Remembers when something was made first. */
  landed(name: string): void {
    if (!this.landedAt.has(name)) this.landedAt.set(name, this.now())
  }

  /** Returns whether something was made less than so many milliseconds ago. */
  isYoungerThan(name: string, millis: number): boolean {
    const at = this.landedAt.get(name)
    return at !== undefined && this.now() - at < millis
  }

  close(): void {
    this.timers.close()
  }

  private land(name: string): void {
    const landing = this.onTheirWay.get(name)
    this.onTheirWay.delete(name)
    landing?.land()
  }
}

/** How late a create lands, or how long it is not found, when a fault does not say; in milliseconds. */
export const standardLandingMs = 1000
