import { reply } from "@carteiro/http-edge/Reply.ts"
import { idempotencyWindowMs } from "@carteiro/owners/Idempotency.ts"
import { answer, commitThen, type Decision, type OwnerHandle, refuse } from "@carteiro/owners/Owner.ts"
import { RateCardNotFound } from "@carteiro/schema/billing/BillingErrors.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { IdempotencyKeyConflict } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect } from "effect"
import type { PlanCommand, PlanSubscription, SubscriptionBegun } from "../account/AccountItems.ts"
import { type AccountContext, type AccountState, AccountUnit } from "../account/AccountUnit.ts"
import type { ChargeRepo, RequestedCharge } from "../charges/ChargeRepo.ts"
import type { PlanCatalogRepo } from "../plans/PlanCatalogRepo.ts"
import { type CatalogPlan, transportPrice } from "../plans/PlanRead.ts"
import type { MeterPrice } from "../prices/Price.ts"
import type { RateCardRepo } from "../prices/RateCardRepo.ts"
import { cancel, change, type PlanContext, subscribe } from "../subscription/PlanChange.ts"
import type { Transition } from "../subscription/Subscription.ts"
import { readSubscription } from "../subscription/SubscriptionRead.ts"
import { defaultCard, moveSubscription, openInvoice } from "./SubscriptionMoves.ts"

/** The facts that decide commands about plans. */
interface PlanFacts {
  readonly plans: ReadonlyMap<string, CatalogPlan>
  /** The present price of a message; undefined while no rate card covers it. */
  readonly transport: MeterPrice | undefined
  readonly phones: number
}

/** The sources of these facts. */
export interface PlanFactsDeps {
  readonly catalog: PlanCatalogRepo["Service"]
  readonly prices: RateCardRepo["Service"]
  readonly countNumbers: (accountId: string) => Effect.Effect<number>
}

/** Reads the facts that decide the plan commands of one instant. */
export const readPlanFacts = ({ catalog, countNumbers, prices }: PlanFactsDeps, accountId: string, now: number) =>
  Effect.all({
    plans: catalog.byId,
    transport: Effect.map(prices.at(now), transportPrice),
    phones: countNumbers(accountId)
  })

/** Reads the facts for subscriptions, with the charges that earlier requests with their keys began. */
export const readSubscribing = (
  subscriptions: ReadonlyArray<PlanSubscription>,
  deps: PlanFactsDeps,
  accountId: string,
  now: number,
  charges: ChargeRepo["Service"]
) =>
  Effect.all({
    facts: readPlanFacts(deps, accountId, now),
    requested: charges.requested(
      accountId,
      subscriptions.flatMap(({ request }) => (request === undefined ? [] : [request.key])),
      now - idempotencyWindowMs
    )
  })

const contextOf = ({ phones, plans }: PlanFacts, state: AccountState, now: number): PlanContext => ({
  plans,
  phones,
  open: openInvoice(state),
  hasCard: defaultCard(state) !== undefined,
  now
})

/**
 * Begins subscriptions: invoice and charge in one commit, before any provider is called. gaps-3 E "Subscribe details"
 */
export const beginSubscriptions = (
  subscriptions: ReadonlyArray<PlanSubscription>,
  { facts, requested }: { readonly facts: PlanFacts; readonly requested: ReadonlyArray<RequestedCharge> },
  state: AccountState,
  owner: OwnerHandle,
  context: AccountContext
): ReadonlyArray<Decision<typeof SubscriptionBegun.Type>> =>
  subscriptions.map((wish) => {
    const { invoice_id, request } = wish
    const begun = requested.find((one) => one.request_key === request?.key && !neverArrived(one))
    if (begun !== undefined) {
      return begun.request_fingerprint === request?.fingerprint
        ? answer({ invoice_id: begun.id })
        : refuse(new IdempotencyKeyConflict())
    }
    const asked = subscribe(state.subscription, wish, contextOf(facts, state, context.now))
    if ("refusal" in asked) return refuse(asked.refusal)
    if (facts.transport === undefined) return refuse(new RateCardNotFound())
    const unit = new AccountUnit(state, context)
    moveSubscription({ subscription: state.subscription, draft: asked.draft }, unit, state, { invoice_id, request })
    return commitThen({
      rows: unit.end(),
      settle: (_keys, passed) => {
        if (!passed) return { retry: "changed" }
        owner.dueAt(context.now)
        return { ok: { invoice_id } }
      }
    })
  })

/** True when a charge was refused before it reached the provider: its key may be used again. */
const neverArrived = ({ decline_code, state }: RequestedCharge): boolean => state === "failed" && decline_code === null

/**
 * Decides changes and cancellations; the response shows the resulting plan. C-PLAN-18, gaps-3 E "Change details",
 * "Cancel details"
 */
export const commandPlans = (
  commands: ReadonlyArray<PlanCommand>,
  facts: PlanFacts,
  state: AccountState,
  owner: OwnerHandle,
  context: AccountContext
) =>
  commands.map((command) => {
    const { transport } = facts
    const asked = decide(command, facts, state, context.now)
    if ("refusal" in asked) return refuse(asked.refusal)
    if (transport === undefined) return refuse(new RateCardNotFound())
    const unit = new AccountUnit(state, context)
    moveSubscription(asked, unit, state)
    const plan = facts.plans.get(state.subscription.plan_offering_id ?? "")
    const shown = readSubscription(state.account.account_id, state.subscription, plan, transport)
    const { body, status } = reply(command, 200, shown)
    return commitThen({
      rows: unit.end(),
      claim: command.claim,
      response: { status, body },
      settle: (_keys, passed) => {
        if (!passed) return { retry: "changed" }
        owner.dueAt(context.now)
        return { ok: { status, body } }
      }
    })
  })

const decide = (
  command: PlanCommand,
  facts: PlanFacts,
  state: AccountState,
  now: number
): { readonly refusal: ApiError } | Transition =>
  command._tag === "Change"
    ? change(state.subscription, command.plan_offering_id, contextOf(facts, state, now))
    : cancel(state.subscription, openInvoice(state), now)
