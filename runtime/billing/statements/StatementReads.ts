import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { Context, Effect, Layer } from "effect"
import { addSums, type Month, type MonthSums, noSums, type Statement, statementOf } from "./Statement.ts"
import { mostUses, StatementRepo } from "./StatementRepo.ts"

/**
 * Reads months of accounts. The sums of what a month had an hour ago are remembered, since entries are final and none is
 * written with so old an id: each further read sums what came since. Decision 0189
 */
export class StatementReads extends Context.Service<
  StatementReads,
  {
    month(organizationId: string, month: Month, now: RealInstant): Effect.Effect<Statement>
  }
>()("@carteiro/runtime/billing/statements/StatementReads") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(StatementRepo, (repo) => {
      const memory = new MonthMemory()
      return StatementReads.of({
        month: Effect.fnUntraced(function* (organizationId, month, now) {
          const name = `${organizationId}/${month.name}`
          const known = memory.find(name) ?? { until: month.from, sums: noSums }
          if (known === "wide") return yield* whole(organizationId, month)
          const until = Math.max(known.until, now - settledMs)
          const { balance, open, settled } = yield* repo.sums(organizationId, month, known.until, until)
          const sums = addSums(known.sums, settled)
          const all = addSums(sums, open)
          if ([settled, open, all].some(({ usage }) => usage.length > mostUses)) {
            memory.remember(name, "wide")
            return yield* whole(organizationId, month)
          }
          memory.remember(name, { until, sums })
          return statementOf(balance, all)
        })
      })

      /** Reads all entries of a month that has more uses than are remembered. */
      function whole(organizationId: string, month: Month) {
        return Effect.map(repo.sums(organizationId, month, month.from, month.from), ({ balance, open }) =>
          statementOf(balance, open)
        )
      }
    })
  )
}

/** The age from which on no further entry is written, in milliseconds: one is written within seconds of its id. */
const settledMs = hourMs

/** The sums of entries from the begin of a month on, up to an instant; `wide` for one with more uses than are remembered. */
type KnownMonth = { readonly until: number; readonly sums: MonthSums } | "wide"

/** The most lines of sums that a node remembers, of all accounts together. */
const mostLines = 50_000

/** Months that were read, the one that was read the longest time ago first. */
class MonthMemory {
  private readonly months = new Map<string, KnownMonth>()
  private lines = 0

  find(name: string): KnownMonth | undefined {
    return this.months.get(name)
  }

  remember(name: string, month: KnownMonth): void {
    this.forget(name)
    this.months.set(name, month)
    this.lines += linesOf(month)
    for (const oldest of this.months.keys()) {
      if (this.lines <= mostLines) return
      this.forget(oldest)
    }
  }

  private forget(name: string): void {
    const month = this.months.get(name)
    if (month === undefined) return
    this.months.delete(name)
    this.lines -= linesOf(month)
  }
}

const linesOf = (month: KnownMonth): number =>
  month === "wide" ? 1 : 1 + month.sums.lines.length + month.sums.days.length + month.sums.usage.length
