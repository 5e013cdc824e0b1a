import type { DueMessage } from "@carteiro/runtime/messages/facts/SendingFacts.ts"
import { statusRank, type Transition, terminalStatuses } from "@carteiro/runtime/messages/message/MessageState.ts"
import { levelAt, type Rate, type Taken } from "@carteiro/runtime/platform/ratelimit/TokenBucket.ts"
import { assert } from "vitest"
import { Draws } from "./Draws.ts"
import { day } from "./World.ts"

/** A message's row. */
export interface Stored {
  message: DueMessage
  due_at: number | null
}

/** Inbound texts and what each does to consent. gaps-2 C "Opt-out by message" */
export const texts = {
  oi: undefined,
  STOP: true,
  " Párar ": true,
  "please stop": undefined,
  START: false,
  voltar: false
}

/** Watches a number and fails as soon as it does what the contract rules out. */
export class NumberOracle {
  accepted = 0
  private readonly draws = new Map<string, Draws>()
  private readonly heardAt = new Map<number, number>()
  private readonly out = new Set<number>()
  private readonly calls = new Map<string, number>()
  private readonly announced = new Map<string, Set<string>>()
  private readonly recorded = new Map<string, number>()
  private tokens = true

  heard(customer: number, text: string, at: number): void {
    this.heardAt.set(customer, at)
    const change = texts[text as keyof typeof texts]
    if (change === true) this.out.add(customer)
    if (change === false) this.out.delete(customer)
  }

  drew(bucket: "accept" | "send", rate: Rate, at: number, tokens: number): void {
    if (bucket === "accept") this.tokens = tokens > 0
    let draws = this.draws.get(bucket)
    if (draws === undefined) this.draws.set(bucket, (draws = new Draws(rate)))
    draws.add(at, tokens)
  }

  /** A refusal says to the millisecond when the same draw succeeds. M-ERR-06 */
  waits({ bucket, retryAfterMs }: Taken, rate: Rate, now: number): void {
    assert.isAtLeast(levelAt(bucket, rate, now + retryAfterMs) + 1e-6, 1)
    assert.isBelow(levelAt(bucket, rate, now + retryAfterMs - 1), 1)
  }

  /** One send was judged. The window is open for 24 hours to the millisecond. M-WIN-01 */
  accepts(customer: number, suspended: boolean, refused: string | undefined, now: number): void {
    const heardAt = this.heardAt.get(customer)
    const expected = suspended
      ? "phone_service_suspended"
      : !this.tokens
        ? "rate_limited"
        : this.out.has(customer)
          ? "contact_opted_out"
          : heardAt === undefined || now - heardAt >= day
            ? "service_window_required"
            : undefined
    this.tokens = true
    assert.strictEqual(refused, expected)
    if (refused === undefined) this.accepted++
  }

  /** A message is handed to its provider: once, and again only after it certainly never left. M-DLV-22, M-DLV-23 */
  left(id: string): void {
    const before = this.calls.get(id) ?? 0
    assert.strictEqual(before, 0, `${id} was sent twice`)
    this.calls.set(id, before + 1)
  }

  cameBack(id: string): void {
    this.calls.set(id, (this.calls.get(id) ?? 0) - 1)
  }

  hasLeft(id: string): boolean {
    return (this.calls.get(id) ?? 0) > 0
  }

  moved(before: DueMessage, status: DueMessage["status"], transitions: ReadonlyArray<Transition>): void {
    const events = transitions.flatMap(({ event }) => event ?? [])
    const about = `${before.id}: ${before.status} to ${status}`
    if (terminalStatuses.has(before.status)) assert.strictEqual(status, before.status, about)
    const [from, to] = [rankOf(before.status), rankOf(status)]
    const requeued = before.status === "sending" && status === "queued"
    if (from !== undefined && to !== undefined && !requeued) assert.isAtLeast(to, from, about)
    const known = this.announced.get(before.id) ?? new Set()
    for (const type of transitions.flatMap(({ announces }) => announces ?? [])) {
      assert.isFalse(known.has(type), `${about}: ${type} twice`)
      known.add(type)
    }
    this.announced.set(before.id, known)
    const last = events.at(-1)
    const at = this.recorded.get(before.id) ?? 0
    for (const event of events) assert.isAtLeast(event.occurred_at, at, `${about}: entries out of order`)
    if (last !== undefined) this.recorded.set(before.id, last.occurred_at)
  }

  /** What holds once nothing is left to do: every message has an end, and said so once. M-DLV-21 */
  finished(messages: ReadonlyArray<Stored>): void {
    for (const { due_at, message } of messages) {
      assert.isNull(due_at, `${message.id} is ${message.status}`)
      assert.notInclude(["queued", "sending"], message.status)
      const said = this.announced.get(message.id) ?? new Set()
      assert.isTrue(said.has(`message.${message.status}`), `${message.id} ${message.status}, said ${[...said]}`)
      assert.strictEqual(message.status === "failed", message.error_code !== null)
    }
  }
}

const rankOf = (status: string): number | undefined => statusRank[status as keyof typeof statusRank]
