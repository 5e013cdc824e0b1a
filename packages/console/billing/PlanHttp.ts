import type { PlanCost } from "@carteiro/schema/billing/OwnAccountApi.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { Effect, Layer } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { field, queryParameter } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, say, statusWord } from "../kit/Language.ts"
import { live, moving } from "../kit/LiveScript.ts"
import { percentOf } from "../kit/Numbers.ts"
import { asPayer, asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, facts, instant, none, notice, table } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import { refusalText } from "../kit/RefusalTexts.ts"
import { billingAddress, saidRefusal, upToBilling } from "./BillingParts.ts"

const address = `${billingAddress}/plan`
/** Seconds between two looks while an invoice is being paid. */
const again = 3

/** The plan of the organization, and what another would cost now. */
export const PlanHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { ownAccount, plans } = yield* Operations

    const show = Effect.fnUntraced(function* (visit: Visit, error?: Html): Effect.fn.Return<Outcome, ApiError> {
      const standing = yield* ownAccount.plan(asVisitor(visit))
      const { current, has_open_invoice: isOpen, pending_display_name: pending, status } = standing
      const subscribed = status === "active" || status === "past_due"
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
          ["Status", badge(statusWord("plan", status), status === "past_due" ? "bad" : "plain")],
          current === null ? undefined : ["Each month", formatReais(current.monthly_fee_brl)],
          standing.current_period_end === null ? undefined : ["Period ends", instant(standing.current_period_end)],
          pending === null ? undefined : ["Then", pending],
          standing.cancel_at_period_end ? ["Then", say("It ends: it was cancelled.")] : undefined
        ])}
${visit.mayChange && subscribed && !standing.cancel_at_period_end && html`<div class="buttons"><a class="button danger" href="${address}/cancel">Cancel the plan…</a></div>`}</div>
<section aria-labelledby="plans"><h2 id="plans">Plans</h2>${planTable(visit, standing.costs)}</section></div>`
      }
    })

    const confirm = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const { costs } = yield* ownAccount.plan(asVisitor(visit))
      const wanted = queryParameter(visit.request, "plan")
      const cost = costs.find((one) => one.plan_offering_id === wanted) ?? (yield* new NotHere())
      return confirmationPage({
        title: html`Change to ${cost.display_name}`,
        section: "billing",
        up: [address, "Plan"],
        action: address,
        csrf: visit.csrf,
        explanation: html`<p>${costOf(cost)}</p><p>Numbers: ${cost.max_phones ?? say("as many as there are")}. Each message costs ${percentOf(cost.multiplier)} of its list price.</p>`,
        fields: html`<input type="hidden" name="plan" value="${cost.plan_offering_id}">`,
        button: cost.when === "now" ? html`Pay ${formatReais(cost.amount_brl)} and change` : "Change",
        dangerous: false
      })
    })

    const take = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const plan_offering_id = field(sent, "plan")
      const { status } = yield* ownAccount.plan(asVisitor(visit))
      const payer = yield* asPayer(visit)
      const begins = status === "none" || status === "canceled"
      return yield* trying(
        visit,
        begins
          ? plans.subscribe(payer, { payload: { plan_offering_id, rail: "cardproc_card" } })
          : plans.change(payer, { payload: { plan_offering_id } })
      )
    })

    const askCancel = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const plan = (yield* ownAccount.plan(asVisitor(visit))).current ?? (yield* new NotHere())
      return confirmationPage({
        title: "Cancel this plan?",
        section: "billing",
        up: [address, "Plan"],
        action: `${address}/cancel`,
        csrf: visit.csrf,
        explanation: html`<p><strong>${plan.display_name}</strong> stays in force until the period that is paid for ends, and is not renewed.</p>`,
        button: "Cancel the plan",
        dangerous: true
      })
    })

    const trying = (visit: Visit, work: Effect.Effect<unknown, ApiError>): Effect.Effect<Outcome, ApiError> =>
      Effect.matchEffect(work, {
        onFailure: (error) => (saidRefusal(error) ? show(visit, refusalText(error)) : Effect.fail(error)),
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
        handler: (visit) => Effect.flatMap(asPayer(visit), (payer) => trying(visit, plans.cancel(payer)))
      })
    )
  })
)

/** Returns the effect of choosing the plan, in a sentence. */
const costOf = ({ amount_brl, display_name, monthly_fee_brl, when }: PlanCost): Piece => {
  switch (when) {
    case "now":
      return html`${display_name} costs ${formatReais(monthly_fee_brl)} a month. ${formatReais(amount_brl)} is charged to the default card now; it applies when that is paid.`
    case "renewal":
      return html`${display_name} costs ${formatReais(monthly_fee_brl)} a month. Nothing is charged now; it applies when the period that is paid for ends.`
    case "current":
      return html`${display_name} is the plan in force.`
    case "refused":
      return html`${display_name} cannot be taken now: an invoice of the present plan is unpaid.`
  }
}

const planTable = (visit: Visit, costs: ReadonlyArray<PlanCost>): Html =>
  table(
    "Plans and what they would cost now",
    ["Plan", "Each month", "Each year", "Numbers", "Messages cost", "Now", "Change"],
    costs.map(({ when, ...plan }) => [
      plan.display_name,
      formatReais(plan.monthly_fee_brl),
      formatReais(plan.annual_fee_brl),
      plan.max_phones ?? say("any"),
      percentOf(plan.multiplier),
      when === "now"
        ? formatReais(plan.amount_brl)
        : when === "renewal"
          ? say("from the next period")
          : none(when === "current" ? "in force" : contractWord(when)),
      visit.mayChange && (when === "now" || when === "renewal")
        ? html`<a class="button" href="${address}/change?plan=${plan.plan_offering_id}">Choose</a>`
        : none("none")
    ]),
    say("There are no plans.")
  )
