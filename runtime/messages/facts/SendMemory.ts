import { BoundedMap } from "../../platform/memory/BoundedMap.ts"

/** Conversations and sends a node remembers at most; some 100 bytes each. */
const mostWindows = 50_000
const mostSends = 10_000

/**
 * What the owners of a node remember of conversations and sends: the bounded cache in front of their rows. Nothing but
 * time closes a window and nothing unsends a message, so what is remembered stays true whichever node wrote since.
 * Consent is not remembered: the commit of a send looks at it. Architecture, section 2 "Facts that grow"
 */
export class SendMemory {
  private readonly windows = new BoundedMap<string, number>(mostWindows)
  private readonly sends = new BoundedMap<string, true>(mostSends)
  private readonly draws = new BoundedMap<string, true>(mostSends)

  /** Epoch milliseconds; undefined says nothing of the table. `customer` as `customerOf` names it. */
  latestInbound(numberId: string, customer: string): number | undefined {
    return this.windows.get(keyOf(numberId, customer))
  }

  /** A customer who has not opted out wrote at that instant. */
  heard(numberId: string, customer: string, at: number): void {
    const key = keyOf(numberId, customer)
    this.windows.set(key, Math.max(this.windows.get(key) ?? at, at))
  }

  /** The customer may have opted out: the next send asks the tables. */
  forget(numberId: string, customer: string): void {
    this.windows.delete(keyOf(numberId, customer))
  }

  /** A send was stored under this id. */
  stored(id: string): void {
    this.sends.set(id, true)
  }

  isStored(id: string): boolean {
    return this.sends.get(id) === true
  }

  /** A send drew its token, and is judged once more since what it was judged by has changed. */
  drew(id: string): void {
    this.draws.set(id, true)
  }

  hasDrawn(id: string): boolean {
    return this.draws.get(id) === true
  }
}

const keyOf = (numberId: string, customer: string): string => `${numberId} ${customer}`
