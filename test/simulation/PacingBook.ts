import { allowanceOf, slotMs } from "@carteiro/runtime/messages/pacing/Allowance.ts"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { assert } from "vitest"
import { minute } from "./World.ts"

/** Tier and quality of a number. */
export interface Terms {
  readonly tier: "tier_50" | "tier_250"
  readonly quality: "green" | "yellow" | "red" | "unknown"
}

/** The narrowest there is: 22 recipients. */
export const termsAtFirst: Terms = { tier: "tier_50", quality: "red" }

/** The tables whose changes are judged, and which. */
export const pacedTables = ["messages", "allowance_slots"] as const
export const pacedChanges = "insert or update or delete"

/** A change of tier or quality holds from the owner's next read on, in milliseconds. */
const knownWithin = minute

interface MessageRow {
  readonly id: string
  readonly direction: string
  readonly customer_key: string
  readonly status: string
  readonly status_reason: string | null
  readonly due_at: string | null
  readonly created_at: string
  readonly sending_since: string | null
  readonly released_at: string | null
}

interface SlotRow {
  readonly customer_key: string
  readonly expires_at: string
}

interface Change<Row> {
  readonly before: Row | null
  readonly after: Row | null
}

interface Commit {
  readonly messages: Array<Change<MessageRow>>
  readonly allowance_slots: Array<Change<SlotRow>>
}

/** What a schedule came to. */
export interface PacingTally {
  accepted: number
  held: number
  released: number
  /** Times a slot was opened as the last one that was free. */
  filled: number
}

/** What is known of a number from outside, and the judge of what its rows went through. */
export class PacingBook {
  readonly accepted: Array<string> = []
  private readonly heardAt = new Map<string, Array<{ readonly from: number; readonly to: number }>>()
  private readonly allowances: Array<{ readonly at: number; readonly allowance: number }>
  private odd: string | undefined
  private readonly slots = new Map<string, number>()
  private readonly held = new Map<string, MessageRow>()
  /** Released messages that have not left. */
  private readonly onTheirWay = new Map<string, string>()
  private readonly tally = { held: 0, released: 0, filled: 0 }

  constructor() {
    this.allowances = [{ at: 0, allowance: allowanceOf(termsAtFirst.tier, termsAtFirst.quality) ?? 0 }]
  }

  /** A recipient wrote, at some instant from one to the other. */
  heard(key: string, from: number, to: number): void {
    this.heardAt.set(key, [...(this.heardAt.get(key) ?? []), { from, to }])
  }

  /** From an instant on the number has another allowance. */
  changed(at: number, allowance: number): void {
    this.allowances.push({ at, allowance })
  }

  /** A call was refused; with a code when no schedule explains it. */
  refused(code: string | undefined): void {
    this.odd ??= code
  }

  /** Holds everything that was committed against what was promised. */
  finished(sql: SqlClient.SqlClient, sent: ReadonlyMap<string, number>) {
    return Effect.gen({ self: this }, function* () {
      assert.isUndefined(this.odd, "a refusal for no reason")
      const rows = yield* sql<{
        readonly tx: string
        readonly name: (typeof pacedTables)[number]
        readonly before: null
        readonly after: never
      }>`select tx, name, before, after from simulation_history order by n`
      const commits = new Map<string, Commit>()
      for (const { after, before, name, tx } of rows) {
        const commit = commits.get(tx) ?? { messages: [], allowance_slots: [] }
        commit[name].push({ before, after })
        commits.set(tx, commit)
      }
      for (const { allowance_slots, messages } of commits.values()) {
        this.slotsChanged(allowance_slots)
        this.messagesChanged(messages.filter(({ after, before }) => (after ?? before)?.direction === "outbound"))
      }
      const states = yield* sql<{ readonly id: string; readonly status: string }>`select id, status from messages
        where direction = 'outbound'`
      const stored = new Map(states.map(({ id, status }) => [id, status]))
      for (const id of this.accepted) assert.isTrue(stored.has(id), `${id} was accepted and is gone`)
      for (const [id, status] of stored) {
        assert.include(["sent", "failed", "cancelled"], status, `${id} never came to an end`)
        if (status === "cancelled") assert.isUndefined(sent.get(id), `${id} was cancelled and sent`)
        if (status === "sent") assert.strictEqual(sent.get(id), 1, `${id} is sent`)
      }
      for (const [id, times] of sent) assert.isAtMost(times, 1, `${id} reached the provider more than once`)
      return { accepted: this.accepted.length, ...this.tally } satisfies PacingTally
    })
  }

  /** No slot is opened beyond the allowance: the number of live ones grows at no other moment. gaps-2 D */
  private slotsChanged(changes: Commit["allowance_slots"]): void {
    for (const { after, before } of changes)
      if (after === null && before !== null) this.slots.delete(before.customer_key)
    for (const { after, before } of changes) {
      if (after === null) continue
      const ends = Date.parse(after.expires_at)
      this.slots.set(after.customer_key, ends)
      if (before?.expires_at === after.expires_at) continue
      const opened = ends - slotMs
      if (before !== null)
        assert.isAtMost(Date.parse(before.expires_at), opened, "a slot that was opened while it lived")
      const live = [...this.slots.values()].filter((end) => end > opened).length
      const allowance = this.allowanceAt(opened)
      assert.isAtMost(live, allowance, `live slots at ${after.expires_at} less a day`)
      if (live === allowance) this.tally.filled++
    }
  }

  private allowanceAt(instant: number): number {
    const { allowances } = this
    const possible = allowances.filter(
      ({ at }, n) => at <= instant && (allowances[n + 1]?.at ?? Number.POSITIVE_INFINITY) >= instant - knownWithin
    )
    return Math.max(...possible.map(({ allowance }) => allowance))
  }

  private messagesChanged(changes: Commit["messages"]): void {
    const released: Array<MessageRow> = []
    for (const { after, before } of changes) {
      if (after === null) continue
      const wasHeld = before !== null && isHeld(before)
      if (isHeld(after) && !wasHeld) {
        this.tally.held++
        this.held.set(after.id, after)
      } else if (wasHeld && !isHeld(after)) {
        this.held.delete(after.id)
        assert.include(["queued", "cancelled"], after.status, `${after.id} was held`)
        if (after.status === "queued") released.push(after)
      }
      if (after.status === "sending" && before?.status === "queued") this.leaves(after)
      if (after.status !== "queued" || isHeld(after)) this.onTheirWay.delete(after.id)
    }
    this.tally.released += released.length
    for (const message of released) this.inOrder(message, released)
    for (const { customer_key, id } of released) this.onTheirWay.set(id, customer_key)
  }

  /** Who is released goes before everyone who waits on, unless he needs no slot of his own. M-MSG-08 */
  private inOrder(message: MessageRow, released: ReadonlyArray<MessageRow>): void {
    const { customer_key } = message
    const at = Date.parse(message.released_at ?? "")
    const shares =
      [...this.onTheirWay.values()].includes(customer_key) ||
      released.some((other) => other.customer_key === customer_key && isBefore(other, message))
    if (shares || this.wasHeard(customer_key, at) || (this.slots.get(customer_key) ?? 0) > at) return
    for (const other of this.held.values()) {
      assert.isFalse(isBefore(other, message), `${message.id} was released before ${other.id}`)
    }
  }

  /** What goes to a recipient who has not written goes under a slot that lives. gaps-2 D "Which sends use a slot" */
  private leaves({ customer_key, id, sending_since }: MessageRow): void {
    const at = Date.parse(sending_since ?? "")
    if (this.wasHeard(customer_key, at)) return
    assert.isAbove(this.slots.get(customer_key) ?? 0, at, `${id} left without a slot`)
  }

  private wasHeard(key: string, at: number): boolean {
    return (this.heardAt.get(key) ?? []).some(({ from, to }) => from <= at && at - slotMs <= to)
  }
}

const isHeld = ({ due_at, status, status_reason }: MessageRow): boolean =>
  status === "queued" && status_reason === "messaging_limit_pacing" && due_at === null

const isBefore = (one: MessageRow, other: MessageRow): boolean => {
  const [mine, theirs] = [Date.parse(one.created_at), Date.parse(other.created_at)]
  return mine < theirs || (mine === theirs && one.id < other.id)
}
