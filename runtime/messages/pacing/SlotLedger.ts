import { slotMs } from "./Allowance.ts"

/**
 * The interval at which a number with held messages checks whether some may be sent, in milliseconds. gaps-2 D "How
 * pacing holds and releases"
 */
const releaseEveryMs = 60_000

/**
 * Returns when the release loop of a number runs next: every minute, and as soon as a slot ends. Epoch milliseconds.
 * While the clock of a sandbox stands, as it does in an advance, no minute brings anything new: the loop waits for a slot
 * alone, or a year with held messages would have half a million steps.
 */
export const nextRelease = (slots: SlotLedger | undefined, now: number, stands: boolean): number =>
  stands
    ? (slots?.nextExpiry(now) ?? now + slotMs)
    : Math.min(now + releaseEveryMs, slots?.nextExpiry(now) ?? Number.POSITIVE_INFINITY)

/** A multiset of recipients. */
class Recipients {
  private readonly counts: Map<string, number>

  constructor(counts: Iterable<readonly [key: string, count: number]> = []) {
    this.counts = new Map(counts)
  }

  /** The number of distinct recipients. */
  get size(): number {
    return this.counts.size
  }

  has(key: string): boolean {
    return this.counts.has(key)
  }

  add(key: string): void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
  }

  remove(key: string): void {
    const left = (this.counts.get(key) ?? 0) - 1
    if (left > 0) this.counts.set(key, left)
    else this.counts.delete(key)
  }
}

/** A number's slots and held recipients as the tables store them. */
export interface StoredSlots {
  /** When its live slots end, earliest first; epoch milliseconds. */
  readonly expiries: ReadonlyArray<number>
  /** The recipients of held messages, and the number of messages for each. */
  readonly held: ReadonlyArray<readonly [customer_key: string, count: number]>
  /** The messages that were released and have not been sent since. */
  readonly released: ReadonlyArray<readonly [message_id: string, customer_key: string]>
}

/** The parts of a queued message on which its slot depends. */
export interface SlotAsked {
  readonly id: string
  readonly customer_key: string
  /** True for a template to a recipient without an open window. gaps-2 D "Which sends use a slot" */
  readonly needsSlot: boolean
  /** True when the recipient has a live slot of this number. */
  readonly slotted: boolean
}

/**
 * The decision for a due message: `free` needs no slot, `use` counts under the recipient's slot, `take` opens one,
 * `hold` waits for one.
 */
export type SlotTurn = "free" | "use" | "take" | "hold"

/**
 * The slots of a number in its owner's memory: when each ends, the held recipients, and the recipients to whom a free
 * one is promised. The rows hold the recipients of live slots. Only the owner opens slots, each in the fenced commit of
 * the reservation, so that its count is never below the table's. gaps-2 D "Which sends use a slot", "How pacing holds
 * and releases"
 */
export class SlotLedger {
  private expiries: Array<number>
  private first = 0
  private held: Recipients
  private promised: Map<string, string>
  private promises: Recipients

  constructor(rows: StoredSlots) {
    this.expiries = [...rows.expiries]
    this.held = new Recipients(rows.held)
    this.promised = new Map(rows.released)
    this.promises = new Recipients()
    for (const [, key] of rows.released) this.promises.add(key)
  }

  /** Replaces held and released messages by those of the rows, because another node may have cancelled some. */
  refresh(rows: Pick<StoredSlots, "held" | "released">): void {
    this.held = new Recipients(rows.held)
    this.promised = new Map(rows.released)
    this.promises = new Recipients()
    for (const [, key] of rows.released) this.promises.add(key)
  }

  /** Returns the number of live slots, the recipients of the last 24 hours. */
  used(now: number): number {
    while (this.first < this.expiries.length && (this.expiries[this.first] ?? 0) <= now) this.first++
    if (this.first > 1024 && this.first * 2 > this.expiries.length) {
      this.expiries = this.expiries.slice(this.first)
      this.first = 0
    }
    return this.expiries.length - this.first
  }

  /** Returns the live slots and those that are promised to released messages. */
  taken(now: number): number {
    return this.used(now) + this.promises.size
  }

  /** Returns when the next slot ends; undefined when there is none. */
  nextExpiry(now: number): number | undefined {
    this.used(now)
    return this.expiries[this.first]
  }

  /** The number of distinct recipients of held messages. */
  get heldRecipients(): number {
    return this.held.size
  }

  holds(customer_key: string): boolean {
    return this.held.has(customer_key)
  }

  /** Returns the slots that a release may promise now; infinite without an allowance. */
  free(allowance: number | undefined, now: number): number {
    return allowance === undefined ? Number.POSITIVE_INFINITY : Math.max(0, allowance - this.taken(now))
  }

  /**
   * True when a new send waits from the start, because nothing is free beyond the recipients that already wait. gaps-2
   * D
   */
  holdsAtAccept(customer_key: string, slotted: boolean, allowance: number | undefined, now: number): boolean {
    if (allowance === undefined || slotted || this.held.has(customer_key)) return false
    return !this.hasRoom(allowance, now)
  }

  /** True when a slot is left beyond the recipients that already wait. */
  hasRoom(allowance: number, now: number): boolean {
    return this.taken(now) + this.held.size < allowance
  }

  /**
   * Decides these messages in their order, and takes their slots. Released messages go first; new ones come after the
   * held ones.
   */
  takeTurns(sends: ReadonlyArray<SlotAsked>, allowance: number | undefined, now: number): ReadonlyArray<SlotTurn> {
    const opened = new Set<string>()
    return sends.map(({ customer_key, id, needsSlot, slotted }) => {
      const released = this.promised.has(id)
      this.forget(id)
      if (!needsSlot || allowance === undefined) return "free"
      if (slotted || opened.has(customer_key)) return "use"
      if (this.free(allowance, now) === 0 || (!released && this.held.size > 0)) {
        this.held.add(customer_key)
        return "hold"
      }
      opened.add(customer_key)
      this.expiries.push(now + slotMs)
      return "take"
    })
  }

  /** Holds a message from its acceptance on. */
  hold(customer_key: string): void {
    this.held.add(customer_key)
  }

  /** Releases a held message: with a promised slot, or because it needs none. */
  release(id: string, customer_key: string, promised: boolean): void {
    this.held.remove(customer_key)
    if (!promised || this.promised.has(id)) return
    this.promised.set(id, customer_key)
    this.promises.add(customer_key)
  }

  /** True when a released message of this recipient waits for its turn with a promised slot. */
  isPromised(customer_key: string): boolean {
    return this.promises.has(customer_key)
  }

  /**
   * Adds a slot that was opened outside of a turn, because a report proved that an attempt was sent whose slot was
   * given back.
   */
  open(expires_at: number): void {
    this.expiries.splice(this.placeOf(expires_at), 0, expires_at)
  }

  /** Removes a slot that was given back before its end. */
  giveBack(expires_at: number): void {
    const place = this.placeOf(expires_at)
    if (this.expiries[place] === expires_at) this.expiries.splice(place, 1)
  }

  /** Returns the index of the first slot that ends then or later. */
  private placeOf(expires_at: number): number {
    let low = this.first
    let high = this.expiries.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.expiries[middle] ?? 0) < expires_at) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Removes a released message that no longer waits. */
  forget(id: string): void {
    const key = this.promised.get(id)
    if (key === undefined) return
    this.promised.delete(id)
    this.promises.remove(key)
  }
}
