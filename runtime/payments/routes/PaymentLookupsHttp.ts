import { valueReply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { formatBrl } from "@carteiro/schema/conventions/Money.ts"
import { PaymentLookupsApi } from "@carteiro/schema/payments/PaymentLookupsApi.ts"
import { Effect } from "effect"
import { Environments } from "../../access/Access.ts"
import { AgenticRepo } from "../agentic/AgenticRepo.ts"
import { PaymentRepo } from "../payment/PaymentRepo.ts"
import { agenticPaymentView } from "./AgenticActions.ts"
import { readPaymentRequest } from "./PaymentActions.ts"

/** Operations of people that look payments up. Decision 0155 */
export const PaymentLookupsHttp = Routes.group(
  PaymentLookupsApi,
  Effect.gen(function* () {
    const payments = yield* PaymentRepo
    const agentic = yield* AgenticRepo
    const environments = yield* Environments

    return Routes.handlers(PaymentLookupsApi, {
      named: Effect.fnUntraced(function* ({ caller, now, query, traceId }) {
        const { before, limit, name } = query
        const rows = yield* payments.named(caller.environment_id, name, before, Number(limit))
        return valueReply({ traceId }, 200, { object: "list", data: rows.map((row) => readPaymentRequest(row, now)) })
      }),

      matching: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const own = (yield* environments.list(caller.organization_id)).map(({ id }) => id)
        const rows = yield* payments.matching(own, query.name, Number(query.limit))
        const data = rows.map(({ amount, ...row }) => ({
          ...row,
          object: "matching_payment" as const,
          amount_brl: formatBrl(amount)
        }))
        return valueReply({ traceId }, 200, { object: "list", data })
      }),

      byAuthorization: Effect.fnUntraced(function* ({ caller, now, params, query, traceId }) {
        const { environment, environment_id } = caller
        const rows = yield* agentic.paymentsBy(
          environment_id,
          params.authorization_id,
          query.before,
          Number(query.limit)
        )
        return valueReply({ traceId }, 200, {
          object: "list",
          data: rows.map((row) => agenticPaymentView(row, environment, now))
        })
      })
    })
  })
)
