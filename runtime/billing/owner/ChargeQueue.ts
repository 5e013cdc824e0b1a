import { qrCode } from "@carteiro/html/QrCode.ts"
import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { makeOwnerQueues, type OwnerQueue, type QueueKind, type QueueRow, QueueRows } from "@carteiro/owners/Queue.ts"
import { realOf } from "@carteiro/owners/RealTime.ts"
import { CardProcessor } from "@carteiro/provider/payments/CardProvider.ts"
import { PlatformPix } from "@carteiro/provider/payments/PixCharges.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Effect } from "effect"
import type { AccountState } from "../account/AccountUnit.ts"
import { lookAtCard } from "../charges/CardCalls.ts"
import { type Charge, type ChargeSeen, judgeCharge } from "../charges/Charge.ts"
import { ChargeRepo } from "../charges/ChargeRepo.ts"
import { callCharge, recordStep, stillDue } from "../charges/ChargeWrites.ts"
import { lookAtPix } from "../charges/PixCalls.ts"
import { PlatformPixWebhookSecrets } from "../charges/PlatformPixWebhookSecrets.ts"
import { lookAtSandbox } from "../charges/SandboxCalls.ts"
import { followStep } from "../decisions/ChargeOutcomes.ts"
import { SubscriptionRepo } from "../subscription/SubscriptionRepo.ts"

/** A charge that is due for a call or a look-up. */
interface QueuedCharge extends QueueRow {
  readonly charge: Charge
}

/** The queue of one account's charges. */
export type ChargeQueue = OwnerQueue<OwnedAccount, undefined, QueuedCharge, ChargeSeen>

/** The state of an account in its owner's memory, its queue of charges included. */
export interface OwnedAccount extends AccountState {
  readonly charges: ChargeQueue
}

/** The concurrent calls for charges of one account. */
const parallel = 4
/** The timeout of a call, well below the time for which its charge is reserved. In milliseconds. */
const callMs = 40_000
const reservedMs = 60_000

/**
 * Sends charges to their providers, outside of the mailbox. The database records the call before it is made, so that a
 * charge whose answer was lost is looked up by our id. An outcome is written with its consequences.
 */
const chargeKind = Effect.gen(function* () {
  const repo = yield* ChargeRepo
  const secrets = yield* Secrets
  const ids = yield* Ids
  const cards = yield* CardProcessor
  const pix = yield* PlatformPix
  const platformSecrets = yield* PlatformPixWebhookSecrets
  const subscriptions = yield* SubscriptionRepo
  const publicUrl = yield* PublicUrl

  const look = (charge: Charge, { account }: OwnedAccount, now: number): Effect.Effect<ChargeSeen> => {
    if (account.environment === "sandbox") return Effect.succeed(lookAtSandbox(charge, now))
    if (charge.rail === "card")
      return cards === undefined ? unknown : lookAtCard(cards, charge, now, `${publicUrl()}/dashboard/billing`)
    if (pix === undefined) return unknown
    const secret = platformSecrets.find((one) => one !== undefined)
    const notice_url = pix.notices?.url(`${publicUrl()}/webhooks/pixprov2/platform`, secret) ?? null
    return lookAtPix(pix, charge, now, notice_url)
  }

  /** Loads ended invoices into memory again when their charges have a new outcome. */
  const recall = Effect.fnUntraced(function* (
    batch: ReadonlyArray<{ readonly row: QueuedCharge }>,
    state: OwnedAccount,
    { id }: OwnerHandle
  ) {
    const charged = batch.filter(({ row: { charge } }) => charge.purpose === "invoice").map(({ row }) => row.id)
    const missing = charged.filter((invoice) => !state.invoices.has(invoice))
    if (missing.length === 0) return
    for (const invoice of yield* subscriptions.named(id, missing)) {
      if (!state.invoices.has(invoice.id)) state.invoices.set(invoice.id, invoice)
    }
  })

  const kind: QueueKind<OwnedAccount, undefined, QueuedCharge, ChargeSeen> = {
    ahead: 0,
    writeAtOnce: 16,
    retryMs: 1000,
    drainMs: 4000,
    callMs,
    makeRows: () => new QueueRows(parallel, true),
    terms: () => undefined,
    destination: () => "charges",
    read: (_state, owner, { rows }) =>
      Effect.map(repo.due(owner.id, owner.now(), rows), ({ charges, next }) => ({
        rows: charges.map((charge) => ({ id: charge.id, bytes: 0, charge })),
        next
      })),
    reserve: (rows, _state, owner) => {
      const at = owner.now()
      const units = rows.map(({ id }) => ({
        rows: [callCharge.row({ account_id: owner.id, id, at, due_at: at + reservedMs })]
      }))
      return Effect.map(owner.commit(units), ({ keys }) => {
        const reserved = keys(callCharge.name)
        return rows.filter(({ id }) => reserved.has(id))
      })
    },
    call: ({ charge }, state, owner) => Effect.flatMap(look(charge, state, owner.now()), withPicture),
    broken: () => ({ _tag: "Unknown" }),
    end: Effect.fnUntraced(function* (batch, state, owner) {
      const foreign = batch.filter(({ result }) => result._tag === "Foreign").map(({ row }) => row.id)
      if (foreign.length > 0) yield* Effect.logError("a provider's charge is not the one asked for", foreign)
      yield* recall(batch, state, owner)
      const units = batch.map(({ at, result, row: { charge } }) => {
        const step = judgeCharge(charge, result, at)
        const recorded = recordStep(secrets, owner.id, step, owner.now())
        const context = {
          account: state.account,
          now: at,
          realNow: realOf(at, owner),
          mintId: (now: number) => ids.mint("led", now),
          mint: ids.mint
        }
        return { rows: followStep(step, recorded, state, context), due_at: step.due_at }
      })
      const { keys, statuses } = yield* owner.commit(units)
      const due = keys(stillDue)
      for (const { row } of batch) {
        state.waiters.tell(row.id)
        if (due.has(row.id)) owner.dueAt(owner.now())
        else state.openCharges.delete(row.id)
      }
      if (state.subscription.due_at !== null) owner.dueAt(state.subscription.due_at)
      return statuses.every((status) => status === "committed")
    })
  }
  return kind
})

/** Adds a QR image to a code that came without one. C-PKG-08 */
const withPicture = (seen: ChargeSeen): Effect.Effect<ChargeSeen> => {
  const facts = "facts" in seen ? seen.facts : undefined
  const code = facts?.pix_copy_paste
  if (facts === undefined || code == null || facts.pix_qr_code_base64 != null) return Effect.succeed(seen)
  return Effect.map(
    qrCode(code),
    (pix_qr_code_base64) => ({ ...seen, facts: { ...facts, pix_qr_code_base64 } }) as ChargeSeen
  )
}

const unknown: Effect.Effect<ChargeSeen> = Effect.succeed({ _tag: "Unknown" })

/** Makes the queue of an account's charges, for its owner. */
export const makeChargeQueues = Effect.flatMap(chargeKind, makeOwnerQueues)
