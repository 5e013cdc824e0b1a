import { type PaymentRequest, PaymentStatus } from "@carteiro/schema/payments/PaymentRequest.ts"
import { Effect, Layer } from "effect"
import { PaymentReads, readPaymentRequest } from "../../payments/Payments.ts"
import { textFilter, wordFilter } from "../kit/Filters.ts"
import { say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList } from "../kit/ListPage.ts"
import { paymentsAddress, paymentTable } from "./PaymentParts.ts"

/** Payments of an environment by status, or by an id or reference of them. C-PAY-30 */
export const PaymentsHttp = Layer.unwrap(
  Effect.gen(function* () {
    const payments = yield* PaymentReads
    const { routes } = yield* environmentList({
      operation: "payments",
      path: paymentsAddress,
      title: "Payments",
      section: "payments",
      api: "payments.list",
      follows: "events",
      filters: {
        status: wordFilter("Status", PaymentStatus.literals),
        named: textFilter("Id or reference", 255, { api: null })
      },
      read: Effect.fnUntraced(function* ({ id }, { named, status }, before, count, { now }) {
        const { rows, walked_to } =
          named === undefined
            ? yield* payments.list(id, status, before, count)
            : { rows: yield* payments.named(id, named, before, count), walked_to: null }
        return { rows: rows.map((row) => readPaymentRequest(row, now)), walked_to }
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
