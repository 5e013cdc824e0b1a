import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { type Cause, Exit } from "effect"
import { assert } from "vitest"
import { Known, type Moment, type Span } from "./Known.ts"
import { numberRate } from "./Node.ts"
import { day, minute } from "./World.ts"

/** One send a client made. */
export interface Ask {
  /** Stored with the message, if there is one. */
  readonly label: string
  readonly customer: string
  readonly key: string | undefined
  readonly from: Moment
  to?: Moment
  /** The id of the message it was told of; undefined when it was refused, or when nobody answered. */
  id?: string
  /** The code of its refusal. */
  refused?: string
}

/** What is stored of a message a client asked for. */
export interface Kept {
  readonly id: string
  readonly label: string
  readonly created_at: number
}

/** Longest a request may hold its key, in milliseconds. */
const holdsKey = 20_000

/** Every send of a schedule and what was answered, held against what a client may expect. */
export class SendBook {
  readonly asks: Array<Ask> = []
  private readonly heard = new Map<string, Known<number | undefined>>()
  private readonly out = new Map<string, Known<boolean>>()
  /** Moments from which on what owners held in memory may be gone, and calls may have met nobody. */
  private readonly upsets: Array<Moment> = []
  /** Those at which nodes came or went. */
  private readonly moves: Array<Moment> = []

  /** Statements take so long that calls may not be answered in time. */
  slow = false

  windowOf(customer: string): Known<number | undefined> {
    return entry(this.heard, customer, () => new Known<number | undefined>(undefined))
  }

  consentOf(customer: string): Known<boolean> {
    return entry(this.out, customer, () => new Known(false))
  }

  upset(moment: Moment, moves = false): void {
    this.upsets.push(moment)
    if (moves) this.moves.push(moment)
  }

  /** Whether nodes came or went between two instants. */
  moved(from: number, to: number): boolean {
    return this.moves.some(({ at }) => at >= from && at <= to)
  }

  get accepted(): number {
    return new Set(this.asks.map(({ id }) => id)).size
  }

  ask(label: string, customer: string, key: string | undefined, from: Moment): Ask {
    const ask: Ask = { label, customer, key, from }
    this.asks.push(ask)
    return ask
  }

  /** A send was answered. */
  answered(ask: Ask, exit: Exit.Exit<string, ApiError>, to: Moment): void {
    ask.to = to
    const span = { from: ask.from, to }
    if (Exit.isSuccess(exit)) ask.id = (JSON.parse(exit.value) as { readonly id: string }).id
    else ask.refused = codeOf(exit.cause)
    const about = `${ask.label}, asked at ${ask.from.at}, answered at ${to.at}`
    if (ask.refused !== undefined && passing.has(ask.refused)) {
      assert.isTrue(this.wasUpset(span), `${ask.refused} though nothing was wrong: ${about}`)
      return
    }
    if (ask.refused === "idempotency_key_in_progress") {
      assert.isTrue(
        this.asks.some((other) => runsBeside(other, ask, to)),
        `in progress, but no other is: ${about}`
      )
      return
    }
    if (ask.refused === "rate_limited") {
      assert.isAbove(this.drawnBefore(ask, to), numberRate.burst - 1, `a full bucket refused: ${about}`)
      return
    }
    const replays = this.replays(ask, to)
    if (replays === "surely") {
      assert.strictEqual(ask.refused, undefined, `a replay was judged again: ${about}`)
      return
    }
    const expected = this.expected(ask.customer, span)
    if (replays === "maybe") expected.push(undefined)
    assert.include(expected, ask.refused, about)
  }

  /** What is stored, against what was answered: an ask is one message at most, and a key one in its window. A-IDEM-04 */
  finished(messages: ReadonlyArray<Kept>): void {
    const byLabel = new Map(this.asks.map((ask) => [ask.label, ask]))
    const byKey = new Map<string, Array<Kept>>()
    const stored = new Set(messages.map(({ id }) => id))
    const labels = new Set<string>()
    for (const message of messages) {
      const ask = byLabel.get(message.label)
      assert.isDefined(ask, `nobody asked for ${message.id}`)
      if (ask === undefined) continue
      assert.isFalse(labels.has(message.label), `${message.label} is two messages`)
      labels.add(message.label)
      if (ask.id !== undefined && ask.key === undefined) assert.strictEqual(ask.id, message.id, message.label)
      if (ask.refused !== undefined && !passing.has(ask.refused))
        assert.fail(`${message.label} was refused and is sent`)
      if (ask.key !== undefined) entry(byKey, ask.key, (): Array<Kept> => []).push(message)
    }
    for (const { id, label } of this.asks)
      if (id !== undefined) assert.isTrue(stored.has(id), `${label}: ${id} is gone`)
    for (const [key, kept] of byKey) {
      const sorted = kept.toSorted((one, other) => one.created_at - other.created_at)
      sorted.slice(1).forEach((message, n) => {
        const before = sorted[n] as Kept
        assert.isAtLeast(
          message.created_at - before.created_at,
          day - minute,
          `${key}: ${before.label}, ${message.label}`
        )
      })
    }
    this.holdsPace()
  }

  private expected(customer: string, span: Span): Array<string | undefined> {
    const expected: Array<string | undefined> = []
    const out = this.consentOf(customer).during(span)
    if (out.includes(true)) expected.push("contact_opted_out")
    if (!out.includes(false)) return expected
    for (const heardAt of this.windowOf(customer).during(span)) {
      const ends = heardAt === undefined ? Number.NEGATIVE_INFINITY : heardAt + day
      if (span.from.at < ends) expected.push(undefined)
      if (span.to.at >= ends) expected.push("service_window_required")
    }
    return expected
  }

  /** Whether the key's window is open, so that what was answered before is answered again. A-IDEM-09 */
  private replays(ask: Ask, to: Moment): "surely" | "maybe" | "never" {
    if (ask.key === undefined) return "never"
    let verdict: "maybe" | "never" = "never"
    const ofKey = this.asks.filter((one) => one !== ask && one.key === ask.key && one.from.order < to.order)
    for (const other of ofKey) {
      const refused = other.id === undefined && other.refused !== undefined && !passing.has(other.refused)
      if (refused || (other.to !== undefined && ask.from.at >= other.to.at + day)) continue
      verdict = "maybe"
      if (other.id === undefined || other.to === undefined || other.to.order > ask.from.order) continue
      // Whoever made the message did so within the window that was open when this other was told of it.
      const began = Math.min(...ofKey.map(({ from }) => from.at).filter((at) => at > other.from.at - day))
      if (to.at >= began + day) continue
      if (ask.id !== undefined)
        assert.strictEqual(ask.id, other.id, `one key, two answers: ${other.label}, ${ask.label}`)
      return "surely"
    }
    return verdict
  }

  /** Tokens sends may have drawn, less what flowed back, at the fullest until a refusal. */
  private drawnBefore(ask: Ask, to: Moment): number {
    const draws = this.asks.filter(
      (other) => other !== ask && other.refused !== "rate_limited" && other.from.order < to.order
    )
    let most = 0
    for (const { from } of draws) {
      const count = draws.filter((other) => (other.to?.at ?? Number.POSITIVE_INFINITY) >= from.at).length
      most = Math.max(most, count - Math.max(0, ask.from.at - from.at) * numberRate.perMillis)
    }
    return most
  }

  /** Between two upsets no stretch of time sees more accepted than the bucket holds. */
  private holdsPace(): void {
    const accepted = this.asks.filter(({ id, to }) => id !== undefined && to !== undefined) as ReadonlyArray<
      Ask & { readonly to: Moment }
    >
    const first = accepted.filter(
      (ask) => !accepted.some((other) => other.id === ask.id && other.from.order < ask.from.order)
    )
    for (const { from } of first) {
      const until = this.upsets.find(({ order }) => order > from.order)?.order ?? Number.POSITIVE_INFINITY
      const within = first.filter((ask) => ask.from.order >= from.order && ask.to.order < until)
      within
        .toSorted((one, other) => one.to.at - other.to.at)
        .forEach(({ to }, n) => {
          assert.isAtMost(
            n + 1,
            numberRate.burst + (to.at - from.at) * numberRate.perMillis + 1,
            "accepted in a stretch of time"
          )
        })
    }
  }

  /** Whether something happened to owners, or to the way to them, within a span or shortly before. */
  wasUpset({ from, to }: Span): boolean {
    return (
      this.slow ||
      this.upsets.some(({ at, order }) => order <= to.order && (order > from.order || from.at - at < minute))
    )
  }
}

/** Refusals that say nothing of the send: it may have been taken all the same. */
export const passing: ReadonlySet<string> = new Set(["service_unavailable", "Die", "Interrupt"])

/** The code of a refusal, or what else became of a call. */
export const codeOf = (cause: Cause.Cause<ApiError>): string => {
  const [reason] = cause.reasons
  return reason === undefined ? "" : reason._tag === "Fail" ? reason.error._tag : reason._tag
}

/** Whether another send held the key at some moment of this one. */
const runsBeside = (other: Ask, ask: Ask, to: Moment): boolean =>
  other !== ask &&
  other.key === ask.key &&
  other.from.order < to.order &&
  (other.to === undefined || other.to.order > ask.from.order || ask.from.at - other.to.at <= holdsKey)

const entry = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
