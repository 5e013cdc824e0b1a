import { type PaymentRequest, PaymentStatus } from "@carteiro/schema/payments/PaymentRequest.ts"
import { Effect, Layer } from "effect"
import { textFilter, wordFilter } from "../kit/Filters.ts"
import { say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList } from "../kit/ListPage.ts"
import { positionOf } from "../kit/Lists.ts"
import { makeOperationList, narrowedBy } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { newPaymentAddress, paymentsAddress, paymentTable } from "./PaymentParts.ts"

/** Payments of an environment by status, or by what people know them by. */
export const PaymentsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const operations = yield* Operations
    const payments = (yield* makeOperationList)("payments.list", operations.payments.list)
    const { routes } = yield* environmentList({
      operation: "payments",
      path: paymentsAddress,
      title: "Payments",
      section: "payments",
      api: "payments.list",
      follows: "events",
      filters: {
        status: wordFilter("Status", PaymentStatus.literals, { thing: "payment" }),
        named: textFilter("Payer, amount, reference or id", 255, { api: null })
      },
      read: Effect.fnUntraced(function* (environment, { named, status }, before, count, visit) {
        if (named === undefined) return yield* payments(visit, environment, before, count, narrowedBy({ status }))
        const query = { ...positionOf(before, count), name: named }
        const { data } = yield* operations.paymentLookups.named(asVisitor(visit, environment), { query })
        return { rows: data, walked_to: null }
      }),
      idOf: ({ id }) => id,
      table: (rows, { id }, nothing) => paymentTable(id, rows, nothing),
      file: membersOf(
        (payment: PaymentRequest) => payment,
        "id",
        "status",
        "amount_brl",
        "customer_name",
        "description",
        "external_reference",
        "created_at",
        "trace_id"
      ),
      begin: ({ id }, { mayChange }) => ({ button: mayChange ? [newPaymentAddress(id), "New payment"] : undefined }),
      empty: () => ({
        purpose: say(
          "Pix charges that you send to customers, from the request to the receipt, with what each one cost."
        ),
        operation: "payments.create"
      })
    })
    return routes
  })
)
