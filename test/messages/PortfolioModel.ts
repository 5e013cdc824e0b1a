import { portfolioAllowance, slotMs } from "@carteiro/runtime/messages/pacing/Allowance.ts"
import { type SlotMemory, slotLimit } from "@carteiro/runtime/messages/pacing/Lease.ts"
import type { returnQuota } from "@carteiro/runtime/messages/pacing/LeaseWrites.ts"
import { makeRoom, returnUnused } from "@carteiro/runtime/messages/pacing/NumberSlots.ts"
import type { LeaseAnswer, LeaseItem } from "@carteiro/runtime/messages/pacing/PortfolioEntity.ts"
import { grantLease, heldOf, type LeasedNumber } from "@carteiro/runtime/messages/pacing/PortfolioRules.ts"
import { SlotLedger } from "@carteiro/runtime/messages/pacing/SlotLedger.ts"
import { Effect, Fiber } from "effect"
import { assert } from "vitest"

export const portfolioId = "portfolio"

/** Above every allowance, as the table stores a quota that was never confirmed. */
const unconfirmed = 2_147_483_647

/** The stored lease of a number. */
interface Row {
  quota: number
  allowance: number
  cap: number | null
  short_at: number | null
  recalled_at: number | null
  revision: number
}

/** One life of a number's owner; what its former lives have on the wire may still arrive. */
interface Life {
  readonly memory: SlotMemory
  isOver: boolean
  readonly asking: Array<Fiber.Fiber<void>>
}

interface ModelNumber {
  readonly id: string
  row: Row | undefined
  /** The ends of its committed slots. */
  slots: Array<number>
  life: Life
}

/** What is on its way: it happens when a schedule says so, or never. */
interface Travelling {
  readonly number: ModelNumber
  readonly life: Life
  readonly happen: () => void
}

/**
 * A portfolio with its numbers, in which each message and each commit is a step of its own: the rules and the memory are
 * those of the product, rows are kept here as the statements keep them.
 */
export class PortfolioModel {
  now = 1_767_225_600_000
  tier = "tier_50"
  private readonly numbers: ReadonlyArray<ModelNumber>
  /** Questions before the portfolio decides them, answers before they arrive, commits before they are written. */
  private readonly questions: Array<Travelling> = []
  private readonly answers: Array<Travelling> = []
  private readonly commits: Array<Travelling> = []
  opened = 0
  returned = 0
  refused = 0

  constructor(count: number) {
    this.numbers = Array.from({ length: count }, (_, n) => ({
      id: `pn_${n}`,
      row: undefined,
      slots: [],
      life: newLife()
    }))
  }

  get allowance(): number {
    return portfolioAllowance(this.tier) ?? 0
  }

  private facts() {
    return { messaging_tier: this.tier, quality_rating: "green", portfolio_id: portfolioId } as const
  }

  private at(nth: number): ModelNumber {
    return this.numbers[nth % this.numbers.length] as ModelNumber
  }

  /** A number makes room for so many recipients; its question may travel for long. */
  ask(nth: number, recipients: number): void {
    const number = this.at(nth)
    this.load(number)
    this.askFrom(number, number.life, recipients)
  }

  /** A former life of a number, on a node that woke late, still asks. */
  askLate(life: Life, number: ModelNumber): void {
    this.askFrom(number, life, 5)
  }

  private askFrom(number: ModelNumber, life: Life, recipients: number): void {
    const askPortfolio = (_id: string, item: LeaseItem) =>
      Effect.callback<typeof LeaseAnswer.Type>((resume) => {
        this.questions.push({
          number,
          life,
          happen: () => {
            const answer = this.decide(number, item)
            this.answers.push({ number, life, happen: () => resume(Effect.succeed(answer)) })
          }
        })
      })
    const owner = { id: number.id, now: () => this.now }
    life.asking.push(Effect.runFork(makeRoom(life.memory, this.facts(), owner, recipients, { askPortfolio })))
  }

  /** The portfolio's owner decides a question and writes its decision. */
  private decide(number: ModelNumber, item: LeaseItem): typeof LeaseAnswer.Type {
    const before = this.held
    const allowance = Math.min(this.allowance, item.allowance)
    const grant = grantLease(item, this.leased(), allowance, this.now)
    const { row } = number
    number.row = {
      quota: Math.max(row?.quota ?? 0, grant.quota),
      allowance: grant.is_confirmed ? allowance : (row?.allowance ?? unconfirmed),
      cap: grant.cap,
      short_at: grant.is_short ? this.now : null,
      recalled_at: grant.is_recalled ? this.now : (row?.recalled_at ?? null),
      revision: (row?.revision ?? 0) + 1
    }
    for (const { cap, number: other } of grant.recalls) {
      const known = this.numbers.find(({ id }) => id === other.business_id)?.row
      if (known !== undefined) Object.assign(known, { cap, recalled_at: this.now, revision: known.revision + 1 })
    }
    if (grant.is_short) this.refused++
    assert.isAtMost(this.held, Math.max(this.allowance, before), "more leased than there is")
    const { cap, quota, retry_ms } = grant
    return { quota, allowance: grant.is_confirmed ? allowance : unconfirmed, cap, retry_ms }
  }

  private leased(): ReadonlyArray<LeasedNumber> {
    return this.numbers.map(({ id, row, slots }) => ({
      business_id: id,
      environment_id: "env",
      is_member: true,
      quota: row?.quota ?? 0,
      cap: row?.cap ?? null,
      short_at: row?.short_at ?? null,
      recalled_at: row?.recalled_at ?? null,
      left_at: null,
      live: slots.filter((end) => end > this.now).length
    }))
  }

  private get held(): number {
    return this.leased().reduce((sum, one) => sum + heldOf(one, this.now), 0)
  }

  /** The live slots of all numbers, as the platform counts recipients. */
  get live(): number {
    return this.leased().reduce((sum, { live }) => sum + live, 0)
  }

  /** A number opens slots for recipients, as many as it may; the commit is written later, or never. */
  open(nth: number, recipients: number): void {
    const number = this.at(nth)
    this.load(number)
    const { life } = number
    const { memory } = life
    const asked = Array.from({ length: recipients }, (_, n) => ({
      id: `m-${this.now}-${n}`,
      customer_key: `k-${this.now}-${n}`,
      needsSlot: true,
      slotted: false
    }))
    const turns = memory.slots?.takeTurns(asked, slotLimit(memory, this.facts(), this.now), this.now) ?? []
    for (const [n, turn] of turns.entries()) {
      if (turn === "hold") memory.slots?.release(asked[n]?.id ?? "", asked[n]?.customer_key ?? "", false)
    }
    const taken = turns.filter((turn) => turn === "take").length
    const end = this.now + slotMs
    const allowed = this.allowance
    if (taken === 0) return
    this.commits.push({
      number,
      life,
      happen: () => {
        for (let n = 0; n < taken; n++) number.slots.push(end)
        this.opened += taken
        assert.isAtMost(this.live, Math.max(allowed, this.allowance), "more recipients than the allowance")
      }
    })
  }

  /** A number that was recalled returns what it does not use, on a row that it read just now. */
  giveBack(nth: number): void {
    const number = this.at(nth)
    const { row } = number
    if (row === undefined || row.recalled_at === null) return
    this.load(number)
    const { life } = number
    const { allowance, cap, quota, revision } = row
    const stored = { portfolio_id: portfolioId, quota, allowance, cap, revision, recalled: true }
    for (const { values } of returnUnused(life.memory, [stored], number.id, this.now)) {
      const { from_revision, quota: lower } = values as unknown as Parameters<typeof returnQuota.row>[0]
      this.commits.push({
        number,
        life,
        happen: () => {
          const present = number.row
          if (present === undefined || present.revision !== from_revision) return
          this.returned += present.quota - Math.min(present.quota, lower ?? 0)
          Object.assign(present, {
            quota: Math.min(present.quota, lower ?? 0),
            recalled_at: null,
            revision: present.revision + 1
          })
        }
      })
    }
  }

  /** The node of a number dies or loses its shard: commits under way end first, and what it decides later is fenced. */
  endLife(nth: number): Life {
    const number = this.at(nth)
    const { life } = number
    for (const commit of this.commits.splice(0)) {
      if (commit.life !== life) this.commits.push(commit)
      else if (Math.abs(this.now + commit.number.slots.length) % 2 === 0) commit.happen()
    }
    life.isOver = true
    number.life = newLife()
    return life
  }

  numberOf(nth: number): ModelNumber {
    return this.at(nth)
  }

  /** The owner reads its slots and its lease, once everything that it decided before is written or refused. */
  private load(number: ModelNumber): void {
    const { life, row } = number
    if (life.memory.slots !== undefined) return
    const expiries = number.slots.filter((end) => end > this.now).sort((one, other) => one - other)
    life.memory.slots = new SlotLedger({ expiries, held: [], released: [] })
    if (row === undefined) return
    const { allowance, cap, quota } = row
    life.memory.lease = { portfolio_id: portfolioId, quota, allowance, cap, ask_again_at: 0 }
  }

  /** Something on its way happens: the nth question, answer or commit. */
  async happen(kind: "question" | "answer" | "commit", nth: number, isLost: boolean): Promise<void> {
    const list = kind === "question" ? this.questions : kind === "answer" ? this.answers : this.commits
    // Commits of one owner are written in their order.
    const index = kind === "commit" ? 0 : nth % Math.max(1, list.length)
    const [one] = list.splice(index, 1)
    if (one === undefined) return
    if (kind === "commit") {
      if (!one.life.isOver) one.happen()
    } else if (!isLost) one.happen()
    await new Promise((resolve) => setImmediate(resolve))
    this.judge()
  }

  /** What an owner believes to have is never more than is stored for it. */
  judge(): void {
    for (const { life, row } of this.numbers) {
      const { lease } = life.memory
      if (lease !== undefined && lease.quota > 0) assert.isAtMost(lease.quota, row?.quota ?? 0, "memory beyond the row")
    }
  }

  /** Lets everything arrive. */
  async settle(): Promise<void> {
    for (let rounds = 0; this.questions.length + this.answers.length + this.commits.length > 0; rounds++) {
      assert.isBelow(rounds, 10_000)
      for (const kind of ["commit", "question", "answer"] as const) await this.happen(kind, 0, false)
    }
  }

  /** Ends what still waits. */
  async close(): Promise<void> {
    const lives = [...this.numbers.map(({ life }) => life), ...this.answers.map(({ life }) => life)]
    for (const { asking } of [...lives, ...this.questions.map(({ life }) => life)]) {
      for (const fiber of asking) await Effect.runPromise(Fiber.interrupt(fiber))
    }
  }
}

const newLife = (): Life => ({
  memory: { slots: undefined, lease: undefined, returns: 0 },
  isOver: false,
  asking: []
})
