/** The bytes of a body that are held without asking the budget: one read of a socket. */
export const freeBytes = 65_536

/**
 * Limits the bytes that all bodies of a node hold together. Each holder (an environment, or a source address) has at
 * most half of it, so that one cannot keep the others out.
 */
export class BodyBudget {
  private readonly shares = new Map<string, number>()
  private readonly limit: number
  private taken = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /** Returns the bytes held at present. */
  get held(): number {
    return this.taken
  }

  /** Reserves bytes, all of them or none. */
  take(holder: string, bytes: number): boolean {
    const share = (this.shares.get(holder) ?? 0) + bytes
    if (this.taken + bytes > this.limit || share > this.limit / 2) return false
    this.taken += bytes
    this.shares.set(holder, share)
    return true
  }

  /** Returns bytes to the budget. */
  release(holder: string, bytes: number): void {
    const share = (this.shares.get(holder) ?? 0) - bytes
    this.taken -= bytes
    if (share > 0) this.shares.set(holder, share)
    else this.shares.delete(holder)
  }
}

/** One request's part of the budget, held as long as its body is needed. */
export class HeldBytes {
  private readonly budget: BodyBudget
  private holder = ""
  private bytes = 0

  constructor(budget: BodyBudget) {
    this.budget = budget
  }

  /** Reserves more bytes; false when none are left for the holder, which never changes. */
  take(holder: string, bytes: number): boolean {
    if (!this.budget.take(holder, bytes)) return false
    this.holder = holder
    this.bytes += bytes
    return true
  }

  /** Returns all bytes; a second call has no effect. */
  release(): void {
    if (this.bytes === 0) return
    this.budget.release(this.holder, this.bytes)
    this.bytes = 0
  }
}
