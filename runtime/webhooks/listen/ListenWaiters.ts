import { shows } from "../endpoint/EventFilter.ts"
import {
  type ListenRow,
  type ListenSlice,
  listenSlice,
  openPollsOf,
  type StreamAsk,
  type StreamPage
} from "./ListenPage.ts"

/** An open long poll. */
export interface Waiter {
  readonly id: string
  readonly api_key_id: string
  /** Everything at or before it was looked at; it moves with every page, also past events that are filtered out. */
  position: number
  readonly limit: number
  readonly types: ReadonlyArray<string> | undefined
  /** The instant it is answered at the latest, epoch milliseconds. */
  readonly deadline: number
  /** It is answered by the next page, whatever that holds. */
  ending: boolean
  /** Pages that held nothing for it. */
  passes: number
  readonly answer: (slice: ListenSlice<ListenRow>) => void
}

/** Waiters that share one page. */
export interface WaiterGroup {
  readonly ask: StreamAsk
  readonly waiters: ReadonlyArray<Waiter>
}

/** Rows of a page that several waiters share, each with a filter of its own. */
const sharedRows = 101

/**
 * The open long polls of one environment. Those that have caught up stand at the same position and share one page,
 * filtered here, so that a hundred listeners cost one read an event. A-LSN-10, gaps-1 L "Long poll limits"
 */
export class ListenWaiters {
  private readonly open = new Map<string, Waiter>()

  get size(): number {
    return this.open.size
  }

  /**
   * The milliseconds until a slot of the key is free at the latest, when all are taken; undefined when one is free.
   */
  fullFor(apiKeyId: string, now: number): number | undefined {
    const deadlines: Array<number> = []
    for (const waiter of this.open.values()) if (waiter.api_key_id === apiKeyId) deadlines.push(waiter.deadline)
    return deadlines.length < openPollsOf(apiKeyId) ? undefined : Math.max(1, Math.min(...deadlines) - now)
  }

  add(waiter: Waiter): void {
    this.open.set(waiter.id, waiter)
  }

  /** Frees the slot of a poll that was answered or whose client is gone. */
  remove(id: string): void {
    this.open.delete(id)
  }

  /** Answers one at once with what it has seen, which is nothing. */
  end(id: string): boolean {
    const waiter = this.open.get(id)
    if (waiter !== undefined) this.answerEmpty(waiter)
    return waiter !== undefined
  }

  /** The same for all, or for those that end anyway. */
  endAll(which: (waiter: Waiter) => boolean = () => true): void {
    for (const waiter of this.open.values()) if (which(waiter)) this.answerEmpty(waiter)
  }

  /** The pages to read now: one for each position somebody stands at. */
  groups(): ReadonlyArray<WaiterGroup> {
    const byPosition = new Map<number, Array<Waiter>>()
    for (const waiter of this.open.values()) {
      const group = byPosition.get(waiter.position)
      if (group === undefined) byPosition.set(waiter.position, [waiter])
      else group.push(waiter)
    }
    return [...byPosition].map(([after, waiters]) => {
      const [alone] = waiters
      return waiters.length === 1 && alone !== undefined
        ? { ask: { after, rows: alone.limit + 1, types: alone.types }, waiters }
        : { ask: { after, rows: sharedRows, types: undefined }, waiters }
    })
  }

  /** Answers whoever a page has something for; true when somebody must read on at once. */
  answerGroups(groups: ReadonlyArray<WaiterGroup>, pages: ReadonlyArray<StreamPage>): boolean {
    let again = false
    groups.forEach((group, i) => {
      const page = pages[i]
      if (page === undefined) return
      for (const waiter of group.waiters) {
        // It may have ended while the page was read.
        if (this.open.get(waiter.id) !== waiter) continue
        const rows = page.rows.filter((row) => row.position > waiter.position && shows(waiter.types, row.type))
        if (rows.length > 0 || waiter.ending) {
          this.answer(waiter, page, rows)
        } else {
          waiter.position = Math.max(waiter.position, page.readUpTo)
          waiter.passes++
          again ||= page.stoppedEarly
        }
      }
    })
    return again
  }

  private answerEmpty(waiter: Waiter) {
    waiter.passes++
    this.answer(waiter, { readUpTo: waiter.position, stoppedEarly: false }, [])
  }

  private answer(waiter: Waiter, page: Omit<StreamPage, "rows">, rows: ReadonlyArray<ListenRow>) {
    this.open.delete(waiter.id)
    const { readUpTo, stoppedEarly } = page
    waiter.answer(
      listenSlice({
        rows,
        limit: waiter.limit,
        after: waiter.position,
        readUpTo,
        stoppedEarly,
        waited: waiter.passes > 0
      })
    )
  }
}
