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
  /** Everything up to it was read; it moves with every page, also past events that are filtered out. */
  position: number
  readonly limit: number
  readonly types: ReadonlyArray<string> | undefined
  /** The latest instant of its answer, epoch milliseconds. */
  readonly deadline: number
  /** True when the next page answers it, whatever the page holds. */
  ending: boolean
  /** The pages without an event for it. */
  passes: number
  readonly answer: (slice: ListenSlice<ListenRow>) => void
}

/** Waiters that share one page. */
export interface WaiterGroup {
  readonly ask: StreamAsk
  readonly waiters: ReadonlyArray<Waiter>
}

/** The rows of a page that several waiters share, each with a filter of its own. */
const sharedRows = 101

/**
 * The open long polls of one environment. Those that have caught up are at one position and share one page, which is
 * filtered here, so that a hundred listeners cost one read per event. A-LSN-10, gaps-1 L "Long poll limits"
 */
export class ListenWaiters {
  private readonly open = new Map<string, Waiter>()

  get size(): number {
    return this.open.size
  }

  /**
   * Returns the milliseconds until a slot of the key is free at the latest, when all are taken; undefined when one is
   * free.
   */
  fullFor(apiKeyId: string, now: number): number | undefined {
    const deadlines: Array<number> = []
    for (const waiter of this.open.values()) if (waiter.api_key_id === apiKeyId) deadlines.push(waiter.deadline)
    return deadlines.length < openPollsOf(apiKeyId) ? undefined : Math.max(1, Math.min(...deadlines) - now)
  }

  add(waiter: Waiter): void {
    this.open.set(waiter.id, waiter)
  }

  /** Frees the slot of a poll that was answered or whose client disconnected. */
  remove(id: string): void {
    this.open.delete(id)
  }

  /** Answers one poll at once, without events. */
  end(id: string): boolean {
    const waiter = this.open.get(id)
    if (waiter !== undefined) this.answerEmpty(waiter)
    return waiter !== undefined
  }

  /** Answers all polls at once, or those that are ending. */
  endAll(which: (waiter: Waiter) => boolean = () => true): void {
    for (const waiter of this.open.values()) if (which(waiter)) this.answerEmpty(waiter)
  }

  /** Returns the pages to read now: one for each position of a waiter. */
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

  /** Answers the waiters with events in a page; true when another read must follow at once. */
  answerGroups(groups: ReadonlyArray<WaiterGroup>, pages: ReadonlyArray<StreamPage>): boolean {
    let again = false
    groups.forEach((group, i) => {
      const page = pages[i]
      if (page === undefined) return
      for (const waiter of group.waiters) {
        // The poll may have ended while the page was read.
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
