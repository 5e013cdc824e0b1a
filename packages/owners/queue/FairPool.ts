/** The use of a pool by one destination, and its waiting callers, the longest waiting first. */
export interface Share {
  readonly destination: string
  readonly used: number
}

/** A caller that waits; it is called once, as soon as it has its amount. */
export interface Waiter {
  readonly destination: string
  readonly amount: number
  readonly granted: (share: Share) => void
}

interface PoolShare extends Share {
  used: number
  readonly waiting: Array<{ readonly waiter: Waiter; readonly turn: number }>
}

/**
 * A limited amount of a resource (sockets, bytes) that many callers share. The longest waiting caller is served first,
 * so that callers that return for more take turns. A destination may use at most as much as it leaves free: one that
 * never answers holds half, two hold a third each, and a new destination always finds a part free.
 */
export class FairPool {
  private readonly capacity: number
  private readonly shares = new Map<string, PoolShare>()
  private readonly contended = new Set<PoolShare>()
  private inUse = 0
  private turns = 0
  private granting = false

  constructor(capacity: number) {
    this.capacity = capacity
  }

  get used(): number {
    return this.inUse
  }

  /** Returns the number of waiting callers. */
  get waiting(): number {
    let count = 0
    for (const { waiting } of this.contended) count += waiting.length
    return count
  }

  /** Takes the amount now. Undefined when too little is left or other callers wait for that destination. */
  take(destination: string, amount: number): Share | undefined {
    const share = this.shareOf(destination)
    if (share.waiting.length === 0 && this.fits(share, amount)) return this.use(share, amount)
    this.forget(share)
    return undefined
  }

  /** Adds a waiter behind all others. */
  wait(waiter: Waiter): void {
    const share = this.shareOf(waiter.destination)
    share.waiting.push({ waiter, turn: this.turns++ })
    this.contended.add(share)
  }

  /** Removes a waiter if it still waits. */
  leave(waiter: Waiter): void {
    const share = this.shares.get(waiter.destination)
    const index = share?.waiting.findIndex((each) => each.waiter === waiter) ?? -1
    if (share === undefined || index < 0) return
    share.waiting.splice(index, 1)
    this.forget(share)
    this.grant()
  }

  /** Returns an amount to the pool, and serves waiting callers. */
  give(share: Share, amount: number): void {
    const held = share as PoolShare
    held.used -= amount
    this.inUse -= amount
    this.forget(held)
    this.grant()
  }

  /** Corrects the use of a share by an amount that was not known before, in either direction; never refused. */
  adjust(share: Share, by: number): void {
    if (by <= 0) this.give(share, -by)
    else this.use(share as PoolShare, by)
  }

  private fits({ used }: PoolShare, amount: number): boolean {
    const free = this.capacity - this.inUse
    return this.inUse === 0 || (amount <= free && (used === 0 || used + amount <= free))
  }

  private use(share: PoolShare, amount: number): Share {
    share.used += amount
    this.inUse += amount
    return share
  }

  /** Serves the longest waiting caller that may have its amount, and repeats until no caller may. */
  private grant(): void {
    if (this.granting) return
    this.granting = true
    // A waiter may take and return amounts at once; a failure of one must not end the round for all.
    try {
      for (let share = this.nextServed(); share !== undefined; share = this.nextServed()) {
        const { waiter } = share.waiting.shift() as PoolShare["waiting"][number]
        this.use(share, waiter.amount)
        this.forget(share)
        waiter.granted(share)
      }
    } finally {
      this.granting = false
    }
  }

  private nextServed(): PoolShare | undefined {
    let first: PoolShare | undefined
    for (const share of this.contended) {
      const [next] = share.waiting
      if (next === undefined || !this.fits(share, next.waiter.amount)) continue
      if (first === undefined || next.turn < (first.waiting[0]?.turn ?? 0)) first = share
    }
    return first
  }

  private shareOf(destination: string): PoolShare {
    let share = this.shares.get(destination)
    if (share === undefined) {
      share = { destination, used: 0, waiting: [] }
      this.shares.set(destination, share)
    }
    return share
  }

  private forget(share: PoolShare): void {
    if (share.waiting.length > 0) return
    this.contended.delete(share)
    if (share.used <= 0) this.shares.delete(share.destination)
  }
}
