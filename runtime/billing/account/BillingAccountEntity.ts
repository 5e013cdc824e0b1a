import { Effect } from "effect"
import { Ids } from "../../platform/ids/Ids.ts"
import { batch, defineOwner, type OwnerHandle } from "../../platform/owner/Owner.ts"
import { postingOf } from "../corrections/CorrectionPosting.ts"
import { CorrectionRepo } from "../corrections/CorrectionRepo.ts"
import { postAll } from "../usage/UsagePosting.ts"
import { UsageRepo } from "../usage/UsageRepo.ts"
import { apply } from "../wallet/Wallet.ts"
import { WalletRepo } from "../wallet/WalletRepo.ts"
import { AccountOperation, ReservationState } from "./AccountOperation.ts"
import { type AccountState, operateAll, readReservations } from "./Operate.ts"

/**
 * One wallet: an organization's (`org_…`), or that of a sandbox environment (`env_…`). It alone moves it: what is used, held,
 * charged and topped up comes to it one after another. Architecture, sections 2 and 6
 */
export const BillingAccountEntity = defineOwner("BillingAccount", {
  /** How the reservation stands then. 402 `insufficient_balance` when a hold is not covered. C-BAL-06..08 */
  Operate: batch(AccountOperation, ReservationState)
})

/** Usage that one pass posts. */
const postedAtOnce = 500
/** Usage without a price waits for a rate card, in milliseconds. */
const retryMs = 1000

/** Hosts the owners of wallets. */
export const billingAccountOwners = BillingAccountEntity.toLayer(
  Effect.gen(function* () {
    const wallets = yield* WalletRepo
    const usage = yield* UsageRepo
    const corrections = yield* CorrectionRepo
    const ids = yield* Ids

    const groundOf = (state: AccountState, now: number) => ({
      account: state.account,
      now,
      mintId: (at: number) => ids.mint("led", at)
    })

    const correctDue = Effect.fnUntraced(function* (state: AccountState, owner: OwnerHandle) {
      const due = yield* corrections.open(owner.id, postedAtOnce)
      if (due.length === 0) return undefined
      const ground = groundOf(state, owner.now())
      const units = due.map((correction) => {
        const { movement, rows } = postingOf(correction, state.wallet, ground)
        state.wallet = apply(state.wallet, movement)
        return { rows }
      })
      const { statuses } = yield* owner.commit(units)
      return statuses.some((status) => status !== "committed") ? owner.now() + retryMs : undefined
    })

    const postDue = Effect.fnUntraced(function* (state: AccountState, owner: OwnerHandle) {
      const now = owner.now()
      const due = yield* usage.unposted(state.account.organization_id, now, postedAtOnce)
      if (due.length === 0) return undefined
      const posting = postAll(due, state.wallet, groundOf(state, now))
      state.wallet = posting.wallet
      const { statuses } = yield* owner.commit([{ rows: posting.rows }])
      if (statuses.some((status) => status !== "committed")) return owner.now() + retryMs
      return due.length < postedAtOnce ? undefined : owner.now()
    })

    return {
      load: (owner, _saved, before: AccountState | undefined) =>
        Effect.flatMap(wallets.open(owner.id, owner.now()), (account) =>
          account === undefined
            ? Effect.die(new Error(`no account ${owner.id}`))
            : Effect.sync((): AccountState => {
                owner.dueAt(owner.now() + 1)
                const { balance, held } = account
                return {
                  account,
                  wallet: { balance, held },
                  reservations: new Map(),
                  doubtful: before?.doubtful ?? new Set()
                }
              })
        ),
      work: Effect.fnUntraced(function* (state: AccountState, owner) {
        const corrected = yield* correctDue(state, owner)
        if (state.account.environment !== "production") return corrected
        return corrected ?? (yield* postDue(state, owner))
      }),
      handlers: {
        Operate: {
          read: (operations, state: AccountState) => readReservations(operations, state, wallets),
          decide: (operations, found, state: AccountState, _owner, now) =>
            operateAll(operations, found, state, now, ids)
        }
      }
    }
  })
)
