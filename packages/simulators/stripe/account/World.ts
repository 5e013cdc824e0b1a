import type { Faults } from "../../kit/Faults.ts"
import type { Ids } from "../wire/Ids.ts"

/** What all objects of an account share. */
export interface World {
  readonly ids: Ids
  readonly faults: Faults
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Runs something after so many milliseconds. */
  readonly later: (millis: number, run: () => void) => void
  /** Records an event about an object, and posts it to the webhook's receiver. */
  readonly tell: (type: string, object: object) => void
  /** The address of this simulator. */
  readonly origin: () => string
}

/** Returns the account's time in epoch seconds. */
export const secondsOf = (world: World): number => Math.floor(world.now() / 1000)

/** Objects of one kind by id, oldest first, with the instants at which they were made. */
export class Objects<Item extends { readonly id: string }> {
  private readonly items = new Map<string, Item>()
  private readonly madeAt = new Map<string, number>()
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  get list(): ReadonlyArray<Item> {
    return [...this.items.values()]
  }

  add(item: Item): Item {
    this.items.set(item.id, item)
    this.madeAt.set(item.id, this.now())
    return item
  }

  get(id: string): Item | undefined {
    return this.items.get(id)
  }

  /** True when an object was made less than so many milliseconds ago. */
  isYoungerThan(id: string, millis: number): boolean {
    const at = this.madeAt.get(id)
    return at !== undefined && this.now() - at < millis
  }
}
