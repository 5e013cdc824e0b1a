import { Timers } from "./Timers.ts"

/**
 * Creates under way: one whose connection was cut takes effect later, and one that took effect is not found at once.
 */
export class Landings {
  private readonly onTheirWay = new Map<string, { readonly at: number; readonly land: () => void }>()
  private readonly landedAt = new Map<string, number>()
  private readonly timers = new Timers()
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  /** True when a create of this name is under way. */
  has(name: string): boolean {
    this.landDue()
    return this.onTheirWay.has(name)
  }

  /** Lets a create take effect after so many milliseconds. */
  later(name: string, millis: number, land: () => void): void {
    this.onTheirWay.set(name, { at: this.now() + millis, land })
    this.timers.after(millis, () => this.land(name))
  }

  /** Lets creates take effect that are due by the simulator's clock, which a test may turn ahead of its timers. */
  landDue(): void {
    for (const [name, { at }] of this.onTheirWay) if (at <= this.now()) this.land(name)
  }

  /** Records the first time at which a thing was made. */
  landed(name: string): void {
    if (!this.landedAt.has(name)) this.landedAt.set(name, this.now())
  }

  /** True when a thing was made less than so many milliseconds ago. */
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

/** The default delay of a create, or of its being found, in milliseconds. */
export const standardLandingMs = 1000
