import { Commit } from "@carteiro/owners/Commit.ts"
import { Context, Effect, Layer } from "effect"
import { type Eraser, Erasers } from "../erasure/Erasers.ts"
import type { KnownCustomer } from "./CustomerIds.ts"
import { leadId, leadIds, noteJoin } from "./CustomerIdWrites.ts"
import { JoinRepo, type PendingJoin } from "./JoinRepo.ts"

/** Ids of the platform that lead to another key from now on. */
interface NewLead {
  readonly environment_id: string
  /** The key whose rows and ids move; undefined when only ids do. */
  readonly from: string | undefined
  readonly to: KnownCustomer
  /** The ids that lead there from now on, beside those of the key. */
  readonly user_ids: ReadonlyArray<string>
}

/**
 * Joins what was kept of one person under two keys. First the ids are led to the new key, in a commit of its own that
 * waits for the claims under way; then the rows move, so that none is left behind. A crash in between leaves the note,
 * which the job completes. Decision 0135
 */
export class CustomerJoins extends Context.Service<
  CustomerJoins,
  {
    /** Leads an id, and all that is kept under a key, to another key; repeating it changes nothing. */
    lead(lead: NewLead, now: number): Effect.Effect<void>
  }
>()("@carteiro/runtime/customers/CustomerJoins") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const commit = yield* Commit
      const repo = yield* JoinRepo
      const erasers = yield* Erasers

      return CustomerJoins.of({
        lead: Effect.fnUntraced(function* ({ environment_id, from, to, user_ids }, now) {
          const moves = from !== undefined && from !== to.key
          if (moves) {
            yield* commit.write([
              leadIds.row({ environment_id, from_key: from, to_key: to.key, at: now }),
              noteJoin.row({ environment_id, from_key: from, to_key: to.key, phone: to.phone, joined_at: now })
            ])
          }
          const leads = user_ids.map((user_id) =>
            leadId.row({ environment_id, user_id, customer_key: to.key, updated_at: now })
          )
          if (leads.length > 0) yield* commit.write(leads)
          if (moves) {
            const join = { environment_id, from_key: from, to_key: to.key, phone: to.phone, passes: 0 }
            yield* passOver(join, repo, erasers)
          }
        }, Effect.orDie)
      })
    })
  ).pipe(Layer.provide(JoinRepo.layer))
}

/** Makes one pass over the rows of a join. Rows of a person who is being erased are left to the erasure. */
export const passOver = Effect.fnUntraced(function* (
  join: PendingJoin,
  repo: JoinRepo["Service"],
  erasers: ReadonlyArray<Eraser>
) {
  if (yield* repo.isBeingErased(join.environment_id, join.from_key)) return yield* repo.postpone(join)
  const { environment_id, from_key: from, phone, to_key: to } = join
  const moved = { environment_id, from, to, phone }
  yield* Effect.forEach(erasers, ({ move }) => move?.(moved) ?? Effect.void, { discard: true })
  yield* repo.finish(join)
})
