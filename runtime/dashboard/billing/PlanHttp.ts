import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Layer } from "effect"
import { AccountDirectory, BillingActions, type PlanCost } from "../../billing/Billing.ts"
import { formatPercent, formatReais } from "../../locale/Reais.ts"
import { asked, field } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, say } from "../kit/Language.ts"
import { live, moving } from "../kit/LiveScript.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, confirmation, facts, instant, none, notice, table } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import { billingAddress, upToBilling } from "./BillingParts.ts"

const address = `${billingAddress}/plan`
/** Seconds between two looks while an invoice is being paid. */
const again = 3

/** The plan of the organization, and what another would cost now. C-PLAN-01..23 */
export const PlanHttp = Layer.unwrap(
  Effect.gen(function* () {
    const accounts = yield* AccountDirectory
    const actions = yield* BillingActions

    const show = Effect.fnUntraced(function* (visit: Visit, error?: string): Effect.fn.Return<Outcome, ApiError> {
      const { invoices, subscription } = yield* accounts.invoiced(visit.organizationId)
      const plans = yield* accounts.plans
      const current = plans.get(subscription.plan_offering_id ?? "")
      const pending = plans.get(subscription.pending_plan_offering_id ?? "")
      const isOpen = invoices.some(({ status }) => status === "open")
      const subscribed = subscription.status === "active" || subscription.status === "past_due"
      return {
        title: "Plan",
        section: "billing",
        up: upToBilling,
        again: isOpen ? again : undefined,
        status: error === undefined ? 200 : 400,
        body: html`${error && notice("bad", error)}
<div id="plan"${live}>${isOpen && html`<div${moving(again)}>${notice("info", say("An invoice is being paid. The plan applies when it is."))}</div>`}
<div class="card">${facts([
          ["Plan", current?.display_name ?? say("Free")],
          ["Status", badge(contractWord(subscription.status), subscription.status === "past_due" ? "bad" : "plain")],
          current === undefined ? undefined : ["Each month", formatReais(current.monthly_fee)],
          subscription.current_period_end === null
            ? undefined
            : ["Period ends", instant(subscription.current_period_end)],
          pending === undefined ? undefined : ["Then", pending.display_name],
          subscription.cancel_at_period_end ? ["Then", say("It ends: it was cancelled.")] : undefined
        ])}
${visit.mayChange && subscribed && !subscription.cancel_at_period_end && html`<div class="buttons"><a class="button danger" href="${address}/cancel">Cancel the plan…</a></div>`}</div>
<section aria-labelledby="plans"><h2 id="plans">Plans</h2>${planTable(visit, yield* accounts.planCosts(visit.organizationId, visit.now))}</section></div>`
      }
    })

    const confirm = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const costs = yield* accounts.planCosts(visit.organizationId, visit.now)
      const wanted = asked(visit.request, "plan")
      const cost = costs.find(({ plan }) => plan.id === wanted) ?? (yield* new NotHere())
      return {
        title: html`Change to ${cost.plan.display_name}`,
        section: "billing",
        up: [address, "Plan"],
        body: confirmation({
          action: address,
          csrf: visit.csrf,
          explanation: html`<p>${costOf(cost)}</p><p>Numbers: ${cost.plan.max_phones ?? say("as many as there are")}. Each message costs ${formatPercent(cost.plan.multiplier)} of its list price.</p>`,
          fields: html`<input type="hidden" name="plan" value="${cost.plan.id}">`,
          button: cost.when === "now" ? html`Pay ${formatReais(cost.amount)} and change` : "Change",
          back: address,
          dangerous: false
        })
      }
    })

    const take = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const plan = field(sent, "plan")
      const { status } = yield* accounts.subscription(visit.organizationId)
      const begins = status === "none" || status === "canceled"
      const work = begins
        ? Effect.asVoid(actions.subscribe(visit.organizationId, plan, visit.now))
        : actions.changePlan(visit.organizationId, plan)
      return yield* trying(visit, work)
    })

    const askCancel = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const subscription = yield* accounts.subscription(visit.organizationId)
      const plan = (yield* accounts.plans).get(subscription.plan_offering_id ?? "") ?? (yield* new NotHere())
      return {
        title: "Cancel this plan?",
        section: "billing",
        up: [address, "Plan"],
        body: confirmation({
          action: `${address}/cancel`,
          csrf: visit.csrf,
          explanation: html`<p><strong>${plan.display_name}</strong> stays in force until the period that is paid for ends, and is not renewed.</p>`,
          button: "Cancel the plan",
          back: address,
          dangerous: true
        })
      }
    })

    const trying = (visit: Visit, work: Effect.Effect<void, ApiError>): Effect.Effect<Outcome, ApiError> =>
      Effect.matchEffect(work, {
        onFailure: (error) =>
          isApiError(error) && error.status < 500 ? show(visit, error.message) : Effect.fail(error),
        onSuccess: () => Effect.succeed({ to: `${address}?done=saved` })
      })

    return Layer.mergeAll(
      page({ operation: "plan", path: address, handler: (visit) => show(visit) }),
      page({ operation: "confirmPlan", path: `${address}/change`, handler: confirm }),
      action({ operation: "takePlan", audit: "billing.plan_taken", keeps: ["plan"], path: address, handler: take }),
      page({ operation: "askCancelPlan", path: `${address}/cancel`, handler: askCancel }),
      action({
        operation: "cancelPlan",
        audit: "billing.plan_cancelled",
        path: `${address}/cancel`,
        handler: (visit) => trying(visit, actions.cancelPlan(visit.organizationId))
      })
    )
  })
)

/** Returns the effect of choosing the plan, in a sentence. */
const costOf = ({ amount, plan, when }: PlanCost): Piece => {
  switch (when) {
    case "now":
      return html`${plan.display_name} costs ${formatReais(plan.monthly_fee)} a month. ${formatReais(amount)} is charged to the default card now; it applies when that is paid.`
    case "renewal":
      return html`${plan.display_name} costs ${formatReais(plan.monthly_fee)} a month. Nothing is charged now; it applies when the period that is paid for ends.`
    case "current":
      return html`${plan.display_name} is the plan in force.`
    case "refused":
      return html`${plan.display_name} cannot be taken now: an invoice of the present plan is unpaid.`
  }
}

const planTable = (visit: Visit, costs: ReadonlyArray<PlanCost>): Html =>
  table(
    "Plans and what they would cost now",
    ["Plan", "Each month", "Each year", "Numbers", "Messages cost", "Now", "Change"],
    costs.map(({ amount, plan, when }) => [
      plan.display_name,
      formatReais(plan.monthly_fee),
      formatReais(plan.annual_fee),
      plan.max_phones ?? say("any"),
      formatPercent(plan.multiplier),
      when === "now"
        ? formatReais(amount)
        : when === "renewal"
          ? say("from the next period")
          : none(contractWord(when)),
      visit.mayChange && (when === "now" || when === "renewal")
        ? html`<a class="button" href="${address}/change?plan=${plan.id}">Choose</a>`
        : none("none")
    ]),
    say("There are no plans.")
  )
