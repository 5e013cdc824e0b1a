import { portfolioAllowance, slotMs } from "@carteiro/runtime/messages/pacing/Allowance.ts"
import type { StoredLease } from "@carteiro/runtime/messages/pacing/Lease.ts"
import { type LimitedNumber, type SlotMemory, slotLimit } from "@carteiro/runtime/messages/pacing/Lease.ts"
import { adoptLease, requestRows, returnUnused } from "@carteiro/runtime/messages/pacing/NumberSlots.ts"
import { decideRequests, heldOf, type LeasedNumber } from "@carteiro/runtime/messages/pacing/PortfolioRules.ts"
import { SlotLedger } from "@carteiro/runtime/messages/pacing/SlotLedger.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { assert } from "vitest"
import { emptyRow, type Held, type LeaseRow, pairs, released, writeDecision, writeRow } from "./PortfolioModelRows.ts"

/** A pass of an owner between its steps: what it read, then what it writes. */
interface Pass {
  /** Its statements and its commit have deadlines: later than this it writes nothing any more. */
  readonly until: number
  readonly decide: () => void
  write: (() => void) | undefined
}

/** One life of a number's owner on a node. */
interface Life {
  readonly memory: SlotMemory
  pass: Pass | undefined
}

interface ModelNumber {
  readonly id: string
  portfolio: string
  /** When it came to its present portfolio. */
  changedAt: number
  readonly rows: Map<string, LeaseRow>
  /** Committed slots, with the portfolio under which each was opened. */
  slots: Array<{ readonly end: number; readonly portfolio: string }>
  held: Array<Held>
  released: Array<Held>
  life: Life
}

interface ModelPortfolio {
  readonly id: string
  tier: string
  revision: number
  pass: Pass | undefined
  /** The greatest allowance since an instant counts for a pass that read the limit then. */
  readonly limits: Array<number>
}

/**
 * Two portfolios with their numbers. Each read and each commit of an owner is a step of its own, and an owner may die
 * between them. The rules and the memory are those of the product; rows are changed here as the statements change them.
 */
export class PortfolioModel {
  now = 1_767_225_600_000
  private readonly numbers: ReadonlyArray<ModelNumber>
  private readonly portfolios: ReadonlyMap<string, ModelPortfolio>
  private sends = 0
  opened = 0
  returned = 0
  short = 0
  recalled = 0

  constructor(count: number) {
    this.numbers = Array.from({ length: count }, (_, n) => ({
      id: `pn_${n}`,
      portfolio: "p",
      changedAt: 0,
      rows: new Map(),
      slots: [],
      held: [],
      released: [],
      life: newLife()
    }))
    this.portfolios = new Map(
      ["p", "q"].map((id) => [id, { id, tier: "tier_50", revision: 0, pass: undefined, limits: [45] }])
    )
  }

  private numberAt(nth: number): ModelNumber {
    return this.numbers[nth % this.numbers.length] as ModelNumber
  }

  private portfolioOf(id: string): ModelPortfolio {
    return this.portfolios.get(id) as ModelPortfolio
  }

  private portfolioAt(nth: number): ModelPortfolio {
    return this.portfolioOf(nth % 2 === 0 ? "p" : "q")
  }

  allowanceOf(id: string): number {
    return portfolioAllowance(this.portfolioOf(id).tier) ?? 0
  }

  /** The facts of a number as a pass reads them, and the limits that were valid from then on. */
  private factsOf({ portfolio }: ModelNumber) {
    const { limits, revision, tier } = this.portfolioOf(portfolio)
    const facts: LimitedNumber = {
      messaging_tier: tier,
      quality_rating: "green",
      portfolio_id: portfolio,
      limit_revision: revision
    }
    return { facts, since: limits.length - 1 }
  }

  private storedLeases({ changedAt, rows }: ModelNumber): ReadonlyArray<StoredLease> {
    return [...rows].map(([portfolio_id, row]) => ({
      portfolio_id,
      quota: row.quota,
      allowance: row.allowance,
      limit_revision: row.limit_revision,
      cap: row.cap,
      short_at: row.short_at,
      left_at: row.left_at === null ? null : Math.max(row.left_at, changedAt),
      is_recalled: row.is_recalled,
      is_requested: row.due_at !== null
    }))
  }

  /** Reads the slots and the lease of an owner that has none in memory. */
  private load(number: ModelNumber, facts: LimitedNumber): SlotLedger {
    const { memory } = number.life
    if (memory.slots !== undefined) return memory.slots
    const expiries = number.slots.flatMap(({ end }) => (end > this.now ? [end] : [])).sort((one, other) => one - other)
    adoptLease(memory, facts, this.storedLeases(number))
    memory.slots = new SlotLedger({ expiries, held: pairs(number.held), released: released(number.released) })
    return memory.slots
  }

  /** A send pass begins: it reads the number, and sends released messages and so many to new recipients. */
  beginSend(nth: number, recipients: number): void {
    const number = this.numberAt(nth)
    const { life } = number
    if (life.pass !== undefined) return
    const { facts, since } = this.factsOf(number)
    const slots = this.load(number, facts)
    const sent = [...number.released, ...this.newMessages(recipients)]
    const decide = () => {
      const limit = slotLimit(life.memory, facts, this.now)
      const asked = sent.map(({ id, key }) => ({ id, customer_key: key, needsSlot: true, slotted: false }))
      const turns = slots.takeTurns(asked, limit, this.now)
      const held = sent.filter((_, n) => turns[n] === "hold")
      const taken = sent.length - held.length
      const end = this.now + slotMs
      const rows = sent.length === 0 ? [] : requestRows(life.memory, facts, number.id, slots.heldRecipients, this.now)
      pass.write = () => {
        number.released = number.released.filter(({ id }) => !sent.some((one) => one.id === id))
        number.held.push(...held)
        for (let n = 0; n < taken; n++) number.slots.push({ end, portfolio: facts.portfolio_id ?? "" })
        this.write(number, rows)
        if (taken > 0) this.judgeOpened(facts.portfolio_id ?? "", since, taken)
      }
    }
    const pass: Pass = { until: this.now + passMs, decide, write: undefined }
    life.pass = pass
  }

  private newMessages(count: number): ReadonlyArray<Held> {
    return Array.from({ length: count }, () => {
      const id = `m-${this.sends++}`
      return { id, key: `k-${id}` }
    })
  }

  /** A release pass begins: it reads the number's leases and held messages. */
  beginRelease(nth: number): void {
    const number = this.numberAt(nth)
    const { life } = number
    if (life.pass !== undefined) return
    const { facts } = this.factsOf(number)
    const slots = this.load(number, facts)
    const leases = this.storedLeases(number)
    const held = [...number.held]
    const before = [...number.released]
    const decide = () => {
      slots.refresh({ held: pairs(held), released: released(before) })
      adoptLease(life.memory, facts, leases)
      const limit = slotLimit(life.memory, facts, this.now)
      const gone = held.filter(({ id, key }) => {
        if (slots.free(limit, this.now) === 0) return false
        slots.release(id, key, true)
        return true
      })
      const back = returnUnused(life.memory, facts, leases, number.id, this.now)
      const waiting = slots.heldRecipients
      const rows = waiting === 0 ? [] : requestRows(life.memory, facts, number.id, waiting, this.now)
      pass.write = () => {
        number.held = number.held.filter(({ id }) => !gone.some((one) => one.id === id))
        number.released.push(...gone)
        this.write(number, [...back.rows, ...rows])
      }
    }
    const pass: Pass = { until: this.now + passMs, decide, write: undefined }
    life.pass = pass
  }

  /** The pass of a number goes one step on, or is late: its memory is dropped, as after every commit without an answer. */
  step(nth: number): void {
    const number = this.numberAt(nth)
    const { life } = number
    if (life.pass !== undefined && this.now > life.pass.until) number.life = newLife()
    else this.advance(life)
  }

  private advance(one: { pass: Pass | undefined }): void {
    const { pass } = one
    if (pass === undefined) return
    if (pass.write === undefined) {
      pass.decide()
      return
    }
    pass.write()
    one.pass = undefined
  }

  /** The refusal of a send frees its slot, with the answer's own commit. */
  refuse(nth: number): void {
    const number = this.numberAt(nth)
    const at = number.slots.findIndex(({ end }) => end > this.now)
    const [slot] = at < 0 ? [] : number.slots.splice(at, 1)
    if (slot !== undefined) number.life.memory.slots?.giveBack(slot.end)
  }

  /** The node of a number dies: its commit is written or lost, and another owner loads what is stored. */
  die(nth: number, isWritten: boolean): void {
    const number = this.numberAt(nth)
    const { pass } = number.life
    if (isWritten && pass !== undefined && this.now <= pass.until) pass.write?.()
    number.life = newLife()
  }

  /** A pass of a portfolio begins, goes on, or ends with its commit. */
  stepPortfolio(nth: number): void {
    const portfolio = this.portfolioAt(nth)
    if (portfolio.pass !== undefined) {
      if (this.now > portfolio.pass.until) portfolio.pass = undefined
      else this.advance(portfolio)
      return
    }
    const { id, revision } = portfolio
    const limit = this.allowanceOf(id)
    const read = this.leased(id)
    const pass: Pass = {
      until: this.now + passMs,
      decide: () => {
        const at = this.now
        const { recalls, requests } = decideRequests(read, limit, at)
        pass.write = () => {
          for (const one of requests) {
            writeDecision(this.rowOf(one.number.business_id, id), one, revision, at)
            if (one.grant.is_short) this.short++
          }
          for (const { cap, number } of recalls) {
            Object.assign(this.rowOf(number.business_id, id), { cap, recalled_at: at, is_recalled: true })
            this.recalled++
          }
          for (const { business_id, is_member, left_at } of read) {
            if (is_member) continue
            const row = this.rowOf(business_id, id)
            if (left_at === null) Object.assign(row, { left_at: at, due_at: null })
          }
          // Slots that a former number opens elsewhere meanwhile are not this portfolio's.
          const before = read.reduce((sum, one) => sum + heldOf(one, at), 0)
          const after = read.reduce(
            (sum, one) => sum + heldOf({ ...one, quota: this.rowOf(one.business_id, id).quota }, at),
            0
          )
          assert.isAtMost(after, Math.max(limit, before), "more is leased than there is")
        }
      },
      write: undefined
    }
    portfolio.pass = pass
  }

  /** The node of a portfolio dies. */
  diePortfolio(nth: number, isWritten: boolean): void {
    const portfolio = this.portfolioAt(nth)
    const { pass } = portfolio
    if (isWritten && pass !== undefined && this.now <= pass.until) pass.write?.()
    portfolio.pass = undefined
  }

  /** The platform reports another limit of a portfolio. */
  report(nth: number, tier: string): void {
    const portfolio = this.portfolioAt(nth)
    if (portfolio.tier === tier) return
    portfolio.tier = tier
    portfolio.revision++
    portfolio.limits.push(this.allowanceOf(portfolio.id))
  }

  /** A number moves to the other portfolio. */
  move(nth: number): void {
    const number = this.numberAt(nth)
    number.portfolio = number.portfolio === "p" ? "q" : "p"
    number.changedAt = this.now
  }

  private rowOf(business_id: string, portfolio: string): LeaseRow {
    const { rows } = this.numbers.find(({ id }) => id === business_id) as ModelNumber
    const row = rows.get(portfolio) ?? { ...emptyRow }
    rows.set(portfolio, row)
    return row
  }

  private write(number: ModelNumber, rows: ReadonlyArray<Row>): void {
    for (const row of rows) {
      const stored = this.rowOf(number.id, String(row.values.portfolio_id))
      const { quota } = stored
      writeRow(stored, row)
      this.returned += quota - stored.quota
    }
  }

  private leased(portfolio: string): ReadonlyArray<LeasedNumber> {
    return this.numbers.flatMap(({ changedAt, id, portfolio: present, rows, slots }) => {
      const row = rows.get(portfolio)
      if (present !== portfolio && row === undefined) return []
      const { cap, due_at, needed, quota, recalled_at, request_allowance, requested_at, short_at, wanted } =
        row ?? emptyRow
      const left_at = row === undefined || row.left_at === null ? null : Math.max(row.left_at, changedAt)
      const request =
        due_at === null || requested_at === null ? null : { needed, wanted, allowance: request_allowance, requested_at }
      const live = slots.filter(({ end }) => end > this.now).length
      const is_member = present === portfolio
      const environment_id = "env"
      return [{ business_id: id, environment_id, is_member, quota, cap, short_at, recalled_at, left_at, live, request }]
    })
  }

  /** The slots that were opened under a portfolio in the last 24 hours. */
  live(portfolio: string): number {
    return this.numbers
      .flatMap(({ slots }) => slots)
      .filter((slot) => slot.portfolio === portfolio && slot.end > this.now).length
  }

  private judgeOpened(portfolio: string, since: number, taken: number): void {
    this.opened += taken
    const allowed = Math.max(...this.portfolioOf(portfolio).limits.slice(since))
    assert.isAtMost(this.live(portfolio), allowed, "more recipients than the allowance")
  }

  /** An owner never believes to have more than is stored for it. */
  judge(): void {
    for (const { life, rows } of this.numbers) {
      const { lease } = life.memory
      if (lease !== undefined)
        assert.isAtMost(lease.quota, rows.get(lease.portfolio_id)?.quota ?? 0, "memory beyond the row")
    }
  }

  /** Ends all passes, and lets each owner work on for some minutes, at the end of which nothing waits for nothing. */
  settle(minutes: number): void {
    for (let minute = 0; minute < minutes && (minute === 0 || this.waiting("p") + this.waiting("q") > 0); minute++) {
      for (let round = 0; round < 12; round++) {
        for (const nth of this.numbers.keys()) {
          this.release(nth)
          this.send(nth, 0)
        }
        for (const nth of [0, 1]) this.decide(nth)
        this.judge()
        this.now += 5001
      }
    }
  }

  /** A send pass from its beginning to its end, after the pass under way. */
  send(nth: number, recipients: number): void {
    this.finish(nth)
    this.beginSend(nth, recipients)
    this.finish(nth)
  }

  /** A release pass from its beginning to its end, after the pass under way. */
  release(nth: number): void {
    this.finish(nth)
    this.beginRelease(nth)
    this.finish(nth)
  }

  /** A pass of a portfolio to its end. */
  decide(nth: number): void {
    do this.stepPortfolio(nth)
    while (this.portfolioAt(nth).pass !== undefined)
  }

  private finish(nth: number): void {
    while (this.numberAt(nth).life.pass !== undefined) this.step(nth)
  }

  /** How many messages of a portfolio's numbers wait. */
  waiting(portfolio: string): number {
    return this.numbers
      .filter((number) => number.portfolio === portfolio)
      .reduce((sum, { held, released }) => sum + held.length + released.length, 0)
  }
}

/** The longest that a pass may take, in milliseconds. */
const passMs = 60_000

const newLife = (): Life => ({ memory: { slots: undefined, lease: undefined, request: undefined }, pass: undefined })
