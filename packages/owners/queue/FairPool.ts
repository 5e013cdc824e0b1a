/** The use of a pool by one destination, and its waiting callers, the longest waiting first. */
export interface Share {
  readonly destination: string
  readonly used: number
}

/** Someone who was told to wait; it is told once, as soon as the amount is its own. */
export interface Waiter {
  readonly destination: string
  readonly amount: number
  readonly granted: (share: Share) => void
}

interface Held extends Share {
  used: number
  readonly waiting: Array<{ readonly waiter: Waiter; readonly turn: number }>
}

/**
 * A limited amount of something (sockets, bytes) that many draw from. Whoever waits longest is served first, so that
 * those who come back for more take turns. A destination may use at most as much as it leaves free: one that never
 * answers holds half, two hold a third each, and whoever comes new finds something left.
 */
export class FairPool {
  private readonly capacity: number
  private readonly shares = new Map<string, Held>()
  private readonly contended = new Set<Held>()
  private inUse = 0
  private turns = 0
  private granting = false

  constructor(capacity: number) {
    this.capacity = capacity
  }

  get used(): number {
    return this.inUse
  }

  /** How many wait. */
  get waiting(): number {
    let count = 0
    for (const { waiting } of this.contended) count += waiting.length
    return count
  }

  /** Takes the amount now, unless there is too little of it or others wait for the same destination. */
  take(destination: string, amount: number): Share | undefined {
    const share = this.shareOf(destination)
    if (share.waiting.length === 0 && this.fits(share, amount)) return this.use(share, amount)
    this.forget(share)
    return undefined
  }

  /** Puts a waiter behind all others. */
  wait(waiter: Waiter): void {
    const share = this.shareOf(waiter.destination)
    share.waiting.push({ waiter, turn: this.turns++ })
    this.contended.add(share)
  }

  /** Takes a waiter out again, if it still waits. */
  leave(waiter: Waiter): void {
    const share = this.shares.get(waiter.destination)
    const index = share?.waiting.findIndex((each) => each.waiter === waiter) ?? -1
    if (share === undefined || index < 0) return
    share.waiting.splice(index, 1)
    this.forget(share)
    this.grant()
  }

  /** Gives back what was taken, and serves those who wait. */
  give(share: Share, amount: number): void {
    const held = share as Held
    held.used -= amount
    this.inUse -= amount
    this.forget(held)
    this.grant()
  }

  /** Changes what a share uses by what was not known before, in either direction; never refused. */
  adjust(share: Share, by: number): void {
    if (by <= 0) this.give(share, -by)
    else this.use(share as Held, by)
  }

  private fits({ used }: Held, amount: number): boolean {
    const free = this.capacity - this.inUse
    return this.inUse === 0 || (amount <= free && (used === 0 || used + amount <= free))
  }

  private use(share: Held, amount: number): Share {
    share.used += amount
    this.inUse += amount
    return share
  }

  /** Serves whoever waits longest of those who may have what they ask for, until nobody may. */
  private grant(): void {
    if (this.granting) return
    this.granting = true
    // Whoever is told may take and give at once; a failure of one of them must not end the round for all.
    try {
      for (let share = this.nextServed(); share !== undefined; share = this.nextServed()) {
        const { waiter } = share.waiting.shift() as Held["waiting"][number]
        this.use(share, waiter.amount)
        this.forget(share)
        waiter.granted(share)
      }
    } finally {
      this.granting = false
    }
  }

  private nextServed(): Held | undefined {
    let first: Held | undefined
    for (const share of this.contended) {
      const [next] = share.waiting
      if (next === undefined || !this.fits(share, next.waiter.amount)) continue
      if (first === undefined || next.turn < (first.waiting[0]?.turn ?? 0)) first = share
    }
    return first
  }

  private shareOf(destination: string): Held {
    let share = this.shares.get(destination)
    if (share === undefined) {
      share = { destination, used: 0, waiting: [] }
      this.shares.set(destination, share)
    }
    return share
  }

  private forget(share: Held): void {
    if (share.waiting.length > 0) return
    this.contended.delete(share)
    if (share.used <= 0) this.shares.delete(share.destination)
  }
}
