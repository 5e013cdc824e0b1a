import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { PaymentStatus } from "@carteiro/schema/payments/PaymentRequest.ts"
import { Effect, Layer, Schema } from "effect"
import { PaymentReads, readPaymentRequest } from "../../payments/Payments.ts"
import { type Chosen, chosenEnvironment, environmentField } from "../kit/Environments.ts"
import { asked } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { addressOf, askedWord, choicesOf, cutWalk, pageRows } from "../kit/Lists.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { input, pager, select } from "../kit/Parts.ts"
import { paymentsAddress, paymentTable } from "./PaymentParts.ts"

/** Payments of an environment by status, or by an id or reference of them. C-PAY-30 */
export const PaymentsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const payments = yield* PaymentReads

    const list = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const chosen = yield* chosenEnvironment(visit)
      const { environment } = chosen
      const status = askedWord(visit.request, "status", Schema.is(PaymentStatus))
      const named = asked(visit.request, "named")?.trim() || undefined
      const before = asked(visit.request, "before")
      const walked =
        environment === undefined
          ? { rows: [], walked_to: null }
          : named === undefined
            ? yield* payments.list(environment.id, status, before, pageRows + 1)
            : { rows: yield* payments.named(environment.id, named, before, pageRows + 1), walked_to: null }
      const { next, shown } = cutWalk(walked, ({ id }) => id)
      const here = { environment: environment?.id, status, named }
      return {
        title: "Payments",
        section: "payments",
        environment: environment?.id,
        body: html`${searchForm(chosen, status, named)}
${paymentTable(
  environment?.id ?? "",
  shown.map((row) => readPaymentRequest(row, visit.now)),
  status === undefined && named === undefined
    ? html`There is no payment yet. Make one with <code>POST /v1/payments</code>.`
    : "No payment is like this."
)}
${pager(
  "payments",
  before && addressOf(paymentsAddress, here),
  next && addressOf(paymentsAddress, { ...here, before: next })
)}`
      }
    })

    return page({ operation: "payments", path: paymentsAddress, handler: list })
  })
)

const searchForm = (chosen: Chosen, status: PaymentStatus | undefined, named: string | undefined): Html =>
  html`<form method="get" action="${paymentsAddress}" class="search" role="search">
${environmentField(chosen)}
${select({ name: "status", label: "Status", choices: choicesOf(PaymentStatus.literals), chosen: status ?? "" })}
${input({ name: "named", label: "Id or reference", value: named ?? "", plain: true, maxLength: 255 })}
<button>Show</button>
</form>`
