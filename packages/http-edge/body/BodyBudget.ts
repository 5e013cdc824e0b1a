/** Bytes of a body that are held without asking the budget: what a socket brings in one read. */
export const freeBytes = 65_536

/**
 * Bounds what the bodies of a node may hold together. Each holder (an environment, or a source address) has at most half
 * of it, so that one cannot keep the others out. Architecture, section 9
 */
export class BodyBudget {
  private readonly shares = new Map<string, number>()
  private readonly limit: number
  private taken = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /** Bytes held at present. */
  get held(): number {
    return this.taken
  }

  /** Sets bytes aside, all of them or none. */
  take(holder: string, bytes: number): boolean {
    const share = (this.shares.get(holder) ?? 0) + bytes
    if (this.taken + bytes > this.limit || share > this.limit / 2) return false
    this.taken += bytes
    this.shares.set(holder, share)
    return true
  }

  /** Gives bytes back. */
  release(holder: string, bytes: number): void {
    const share = (this.shares.get(holder) ?? 0) - bytes
    this.taken -= bytes
    if (share > 0) this.shares.set(holder, share)
    else this.shares.delete(holder)
  }
}

/** One request's part of the budget, held until its body is needed no more. */
export class HeldBytes {
  private readonly budget: BodyBudget
  private holder = ""
  private bytes = 0

  constructor(budget: BodyBudget) {
    this.budget = budget
  }

  /** Sets more bytes aside; false when there are none left for the holder, who stays the same. */
  take(holder: string, bytes: number): boolean {
    if (!this.budget.take(holder, bytes)) return false
    this.holder = holder
    this.bytes += bytes
    return true
  }

  /** Gives all of it back; again has no effect. */
  release(): void {
    if (this.bytes === 0) return
    this.budget.release(this.holder, this.bytes)
    this.bytes = 0
  }
}
