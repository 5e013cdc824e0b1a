import { createHash } from "node:crypto"
import { type Call, jsonOf, type RouteList, recordOf } from "../kit/Routes.ts"
import { type Done, type NamedMake, vendorRoute } from "../kit/VendorRoute.ts"
import { decideItself, flawsOf, type MercadopagoContext, pageOf, refuse, searchFilter } from "./MercadopagoContext.ts"
import type { Merchant } from "./Merchants.ts"
import { centavosOf, paymentRequestOf } from "./PaymentRules.ts"
import { outcomes, type Payment, refundable } from "./Payments.ts"
import { instant, paymentView, refundView, summary } from "./PaymentView.ts"

/** What an idempotency key of a merchant did before. */
interface Repetition {
  readonly request: string
  readonly payment: Payment
}

/** Mercado Pago's routes about payments and their refunds. */
export const paymentRoutes = (context: MercadopagoContext): RouteList => {
  const { faults, payments } = context
  const of = vendorRoute(context, "idempotency_key_in_use")
  const byKey = new Map<string, Repetition>()

  const create = async (call: Call, merchant: Merchant): Promise<Done> => {
    const body = recordOf(jsonOf(call.body))
    const facts = { ...factsOf(call), account: merchant.key.slice(-4) }
    const key = keyOf(call)
    if (key === undefined) return refuse("idempotency_key_missing", undefined, facts)
    const name = nameOf(merchant, "payment", key)
    const before = byKey.get(name)
    if (before !== undefined && before.request !== digest(call.body)) {
      return refuse("external_id_conflict", "another request under this key", facts)
    }
    if (before !== undefined) return answered(call, before.payment, 200, "repeated", facts)
    const request = paymentRequestOf(body, context.now())
    if ("status" in request) return { answer: request, outcome: "request_invalid", facts }
    const [payment, notified] = payments.make(merchant, request, null)
    byKey.set(name, { request: digest(call.body), payment })
    decideItself(context, String(payment.id))
    if (faults.hit(["early_webhook"], { operation: "checkout" }) !== undefined) await notified
    return answered(call, payment, 201, "made", { ...facts, id: String(payment.id) })
  }

  const answered = async (
    call: Call,
    payment: Payment,
    status: number,
    outcome: string = payment.outcome,
    facts: Done["facts"] = factsAbout(payment)
  ): Promise<Done> => ({
    answer: { status, body: await paymentView(payment, call.headers.host ?? "", flawsOf(context)) },
    outcome,
    facts
  })

  const withPayment =
    (then: (payment: Payment, call: Call) => Done | Promise<Done>) =>
    (call: Call, merchant: Merchant): Done | Promise<Done> => {
      const payment = payments.of(merchant, call.places[0] ?? "")
      return payment === undefined ? refuse("not_found") : then(payment, call)
    }

  const show = withPayment((payment, call) => answered(call, payment, 200))

  const change = withPayment((payment, call) => {
    const facts = factsAbout(payment)
    const { status } = recordOf(jsonOf(call.body))
    if (status !== "cancelled") return refuse("request_invalid", "status", facts)
    if (payment.outcome !== "pending") return refuse("already_ended", undefined, facts)
    const isStuck = faults.hit(["stuck_cancel"], { operation: "checkout_cancel" }) !== undefined
    if (!isStuck) payments.end(payment, "cancelled")
    return answered(call, payment, 200, "cancelling", facts)
  })

  const search = (call: Call, merchant: Merchant): Done => {
    const matches = searchFilter(context, call.query)
    const { limit, offset } = pageOf(call.query)
    const isWanted = wanted(call.query)
    const found = payments.ofMerchant(merchant).filter((payment) => matches(payment) && isWanted(payment))
    if (call.query.get("criteria") === "desc") found.reverse()
    const results = found.slice(offset, offset + limit).map((payment) => summary(payment, flawsOf(context)))
    return {
      answer: { status: 200, body: { paging: { total: found.length, limit, offset }, results } },
      outcome: found[0]?.outcome ?? "none",
      facts: { external_id: call.query.get("external_reference"), mode: "transparent_pix" }
    }
  }

  const refund = withPayment((payment, call) => {
    const facts = factsAbout(payment)
    const key = keyOf(call)
    if (key === undefined) return refuse("idempotency_key_missing", undefined, facts)
    const name = nameOf(payment.merchant, `refund ${payment.id}`, key)
    // A repeated refund is answered without a body: it was carried out under the first answer.
    if (byKey.has(name)) return { answer: { status: 200, body: Buffer.alloc(0) }, outcome: "repeated", facts }
    const { amount } = recordOf(jsonOf(call.body))
    const rest = refundable(payment)
    if (rest === 0) return refuse("already_ended", undefined, facts)
    const centavos = amount === undefined ? rest : centavosOf(amount)
    if (centavos === undefined || centavos > rest) return refuse("refund_amount_invalid", undefined, facts)
    byKey.set(name, { request: "", payment })
    const body = refundView(payment, payments.refund(payment, centavos))
    return { answer: { status: 201, body }, outcome: "made", facts: { ...facts, refunded_centavos: centavos } }
  })

  const refundList = withPayment((payment) => ({
    answer: { status: 200, body: payment.refunds.map((one) => refundView(payment, one)) },
    outcome: payment.outcome,
    facts: factsAbout(payment)
  }))

  const refundRead = withPayment((payment, call) => {
    const found = payment.refunds.find(({ id }) => id === Number(call.places[1]))
    if (found === undefined) return refuse("not_found", "refund", factsAbout(payment))
    return { answer: { status: 200, body: refundView(payment, found) }, outcome: "made", facts: factsAbout(payment) }
  })

  return [
    ["GET /users/me", of("account", (_call, merchant) => ({ answer: profile(merchant), outcome: "ok" }))],
    ["POST /v1/payments", of("checkout", create, landing)],
    ["GET /v1/payments/search", of("checkout_lookup", search)],
    ["GET /v1/payments/{}", of("checkout_read", show)],
    ["PUT /v1/payments/{}", of("checkout_cancel", change)],
    ["POST /v1/payments/{}/refunds", of("refund", refund)],
    ["GET /v1/payments/{}/refunds", of("refund_list", refundList)],
    // The official client writes some paths with a slash at their end.
    ["GET /v1/payments/{}/refunds/", of("refund_list", refundList)],
    ["GET /v1/payments/{}/refunds/{}", of("refund_read", refundRead)]
  ]
}

const keyOf = ({ headers }: Call): string | undefined => {
  const key = headers["x-idempotency-key"]
  return typeof key === "string" && key !== "" ? key : undefined
}

const nameOf = ({ key }: Merchant, subject: string, idempotencyKey: string): string =>
  [key, subject, idempotencyKey].join("\n")

const factsOf = (call: Call): Readonly<Record<string, unknown>> => {
  const body = recordOf(jsonOf(call.body))
  return {
    ...body,
    external_id: body.external_reference ?? null,
    amount_centavos: centavosOf(body.transaction_amount) ?? null,
    mode: "transparent_pix",
    idempotency_key: keyOf(call) ?? null
  }
}

const factsAbout = ({ amountCentavos, externalReference, id }: Payment): Readonly<Record<string, unknown>> => ({
  id: String(id),
  external_id: externalReference,
  amount_centavos: amountCentavos
})

const landing: NamedMake<Merchant> = {
  nameOf: (call, merchant) => nameOf(merchant, "payment", keyOf(call) ?? ""),
  factsOf
}

const digest = (body: Buffer): string => createHash("sha256").update(body).digest("hex")

/** Returns the filter by status and dates of a query. */
const wanted = (query: URLSearchParams): ((payment: Payment) => boolean) => {
  const status = query.get("status")
  const [begin, end] = [Date.parse(query.get("begin_date") ?? ""), Date.parse(query.get("end_date") ?? "")]
  const range = query.get("range") ?? "date_created"
  return (payment) => {
    const at = range === "date_last_updated" ? payment.updatedAt : payment.createdAt
    const isInRange = (Number.isNaN(begin) || at >= begin) && (Number.isNaN(end) || at <= end)
    return isInRange && (status === null || outcomes[payment.outcome].status === status)
  }
}

/** Returns the merchant's own profile. */
const profile = ({ userId }: Merchant) => ({
  status: 200,
  body: {
    id: userId,
    nickname: `LOJA${userId}`,
    registration_date: instant(1_577_836_800_000),
    first_name: "Simulador",
    last_name: "Loja",
    email: "loja@example.com",
    country_id: "BR",
    site_id: "MLB",
    user_type: "normal",
    tags: ["normal"],
    status: { site_status: "active", user_type: "simple_registration" }
  }
})
