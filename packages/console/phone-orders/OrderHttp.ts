import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { PhoneNumberOrder } from "@carteiro/schema/phone-orders/PhoneOrder.ts"
import { Effect, Layer } from "effect"
import { confirmationPage } from "../kit/Confirmation.ts"
import { environmentName } from "../kit/Environments.ts"
import { unconfirmed } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { declared, say } from "../kit/Language.ts"
import { live, moving } from "../kit/LiveScript.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { action, type Outcome, page, type Visit } from "../kit/Pages.ts"
import { facts, form, instant, none, notice, personText } from "../kit/Parts.ts"
import { NotHere } from "../kit/Refusals.ts"
import { refusalText } from "../kit/RefusalTexts.ts"
import { storyPage, timeline } from "../kit/Story.ts"
import { numbersAddress } from "../numbers/NumberParts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { chargesOf, orderBadge, ordersAddress } from "./OrderParts.ts"

const path = `${ordersAddress}/:id`
/** Seconds between two looks at an order whose number is being delivered. */
const again = 3

/** One order with what will be charged: approved or declined by owners and admins. */
export const OrderHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { phoneNumbers, phoneOrderDecisions: orders } = yield* Operations

    const requestOf = ({ request }: Visit) => ({ params: { order_id: request.params.id ?? "" } })

    const orderOf = (visit: Visit) =>
      Effect.catchTag(orders.get(asVisitor(visit), requestOf(visit)), "phone_number_order_not_found", () =>
        Effect.fail(new NotHere())
      )

    /** Returns why the number of a failed order was not delivered. */
    const troubleOf = Effect.fnUntraced(function* (
      visit: Visit,
      { phone_number_id, status }: PhoneNumberOrder,
      environment: EnvironmentEntry | undefined
    ): Effect.fn.Return<Html | null, ApiError> {
      if (status !== "failed" || phone_number_id === null || environment === undefined) return null
      const { error_code, error_message } = yield* phoneNumbers.get(asVisitor(visit, environment), {
        params: { phone_number_id }
      })
      return error_message === null ? null : declared(error_code ?? "", error_message)
    })

    const show = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const order = yield* orderOf(visit)
      const environment = (yield* visit.environments).find(({ id }) => id === order.environment_id)
      const isOpen = order.status === "awaiting_approval"
      const isMoving = order.status === "approved" || order.status === "provisioning"
      const trouble = yield* troubleOf(visit, order, environment)
      return {
        title: html`Number in area ${order.ddd}`,
        section: "orders",
        up: [ordersAddress, "Number orders"],
        again: isMoving ? again : undefined,
        ...storyPage({
          headline: {
            state: orderBadge(order.status),
            about: [
              order.display_name !== null && personText(order.display_name),
              order.purpose !== null && personText(order.purpose)
            ]
          },
          warnings: html`<div id="trouble"${live}>${order.failure !== null && notice("info", refusalText(order.failure))}${trouble !== null && notice("bad", personText(trouble))}</div>`,
          story: html`<section aria-labelledby="charges"><h2 id="charges">What is charged</h2><div class="card">${chargesOf(order)}</div></section>
${isOpen && decisionForm(visit, order.id)}
<section aria-labelledby="timeline"><h2 id="timeline">What happened</h2><div id="order"${live}>${isMoving && html`<p class="muted" role="status"${moving(again)}>This page moves by itself.</p>`}
${timelineOf(order)}</div></section>`,
          facts: facts([
            ["Purpose", order.purpose === null ? none("not said") : personText(order.purpose)],
            ["Name", order.display_name === null ? none("none") : personText(order.display_name)],
            ["Environment", environment === undefined ? none("gone") : environmentName(environment)],
            ["Ordered", instant(order.created_at)],
            isOpen ? ["To be decided by", instant(order.expires_at)] : undefined,
            order.phone_number_id === null
              ? undefined
              : [
                  "Number",
                  personText(
                    html`<a href="${numbersAddress}/${order.environment_id}/${order.phone_number_id}">${order.display_name ?? order.phone_number_id}</a>`
                  )
                ],
            ["Id", html`<code>${order.id}</code>`]
          ])
        })
      }
    })

    const askDecline = Effect.fnUntraced(function* (visit: Visit, error?: Html): Effect.fn.Return<Outcome, ApiError> {
      const order = yield* orderOf(visit)
      const here = `${ordersAddress}/${order.id}`
      return confirmationPage({
        title: "Decline this order?",
        section: "orders",
        up: [here, "Order"],
        action: `${here}/decline`,
        csrf: visit.csrf,
        explanation: html`<p>Nothing is rented or charged. Whoever asked for the number finds the order declined.</p>`,
        button: "Decline",
        dangerous: true,
        name: { value: calledOf(order), error }
      })
    })

    const decline = Effect.fnUntraced(function* (
      visit: Visit,
      sent: URLSearchParams
    ): Effect.fn.Return<Outcome, ApiError> {
      const error = unconfirmed(sent, calledOf(yield* orderOf(visit)))
      if (error !== undefined) return yield* askDecline(visit, error)
      const order = yield* orders.decline(asVisitor(visit), requestOf(visit))
      return { to: `${ordersAddress}/${order.id}?done=order_declined` }
    })

    const approve = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const order = yield* orders.approve(asVisitor(visit), requestOf(visit))
      return { to: `${ordersAddress}/${order.id}?done=order_approved` }
    })

    return Layer.mergeAll(
      page({ operation: "phoneOrder", path, handler: show }),
      page({ operation: "askDeclinePhoneOrder", path: `${path}/decline`, handler: (visit) => askDecline(visit) }),
      action({
        operation: "declinePhoneOrder",
        audit: "phone_order.declined",
        path: `${path}/decline`,
        handler: decline
      }),
      action({
        operation: "approvePhoneOrder",
        audit: "phone_order.approved",
        path: `${path}/approve`,
        handler: approve
      })
    )
  })
)

/** Returns what a person types before declining an order: the name that its number would have, or its id. */
const calledOf = ({ display_name, id }: { readonly display_name: string | null; readonly id: string }): string =>
  display_name ?? id

/** Returns when a number was ordered and decided on, and where the order stands. */
const timelineOf = ({ approved_at, created_at, declined_at, expires_at, status }: PhoneNumberOrder): Html =>
  timeline([
    { what: say("Ordered"), at: created_at },
    ...(approved_at === null ? [] : [{ what: say("Approved"), at: approved_at, tone: "good" as const }]),
    ...(declined_at === null ? [] : [{ what: say("Declined"), at: declined_at }]),
    ...(status === "expired" ? [{ what: say("Expired"), at: expires_at }] : []),
    ...(status === "provisioning" || status === "fulfilled" || status === "failed"
      ? [{ what: orderBadge(status), at: null }]
      : []),
    ...(status === "awaiting_approval"
      ? [{ what: say("To be decided by"), at: expires_at, tone: "warn" as const }]
      : [])
  ])

const decisionForm = (visit: Visit, id: string): Html =>
  visit.mayChange
    ? html`<section class="card" aria-labelledby="decide"><h2 id="decide">Decide</h2>
<p>Approving sets the first month aside; it is charged when the number is delivered, and given back when it is not.</p>
${form(
  `${ordersAddress}/${id}/approve`,
  visit.csrf,
  html`<div class="buttons"><button class="primary">Approve</button> <a class="button danger" href="${ordersAddress}/${id}/decline">Decline…</a></div>`
)}</section>`
    : notice("info", say("An owner or admin decides."))
