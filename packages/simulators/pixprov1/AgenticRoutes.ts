import { reais } from "../kit/Reais.ts"
import { type Call, jsonOf, ok, type RouteList, recordOf } from "../kit/Routes.ts"
import type { Account } from "../pix/Accounts.ts"
import { escaped, formField, page, seeOther } from "../pix/Pages.ts"
import { type Done, type RouteContext, refuse, routeOf } from "../pix/PixFaults.ts"
import { Agentic, type Authorization, type AuthorizationStatus, type Payment } from "./Agentic.ts"

const banks = [
  { id: "bank_azul", name: "Banco Azul", ispb: "10000001", logo_url: null, status: "available" },
  { id: "bank_verde", name: "Banco Verde", ispb: "10000002", logo_url: null, status: "available" },
  { id: "bank_cinza", name: "Banco Cinza", ispb: "10000003", logo_url: null, status: "unavailable" }
]

type Faults = RouteContext["faults"]

/**
 * The vendor's routes for agentic payments, and the page on which people authorize them. vendor-wires "pixprov1,
 * agentic payments"
 */
export const agenticRoutes = (
  context: RouteContext & { readonly now: () => number; readonly workMs: number }
): { readonly routes: RouteList; readonly close: () => void } => {
  const { faults, log, now, workMs } = context
  const agentic = new Agentic(log, now)
  const of = routeOf(context)

  const authorize = (call: Call, account: Account): Done => {
    const body = recordOf(jsonOf(call.body))
    const { bank_id, expires_at, external_id, max_amount_centavos } = body
    if (banks.find(({ id }) => id === bank_id)?.status !== "available")
      return refuse("request_invalid", "bank_id", body)
    if (typeof external_id !== "string" || external_id === "" || !isAmount(max_amount_centavos)) {
      return refuse("request_invalid", "external_id and max_amount_centavos", body)
    }
    const expiresAt = Date.parse(String(expires_at))
    if (Number.isNaN(expiresAt)) return refuse("request_invalid", "expires_at", body)
    const before = agentic.authorizations.find(account, external_id)
    const one = before ?? agentic.authorize(account, { external_id, max_amount_centavos, expiresAt })
    if (before === undefined) {
      for (const status of ["authorized", "rejected"] as const) {
        const fault = faults.hit([`${status}_after`], { operation: "authorization" })
        if (fault !== undefined) agentic.later(fault.value ?? 0, () => agentic.decide(one, status))
      }
    }
    return {
      answer: { status: before === undefined ? 201 : 200, body: authorizationShown(one, call) },
      outcome: before === undefined ? "made" : "repeated",
      facts: { ...body, id: one.id }
    }
  }

  const revoke = (call: Call, account: Account): Done => {
    const one = agentic.authorizations.of(account, call.places[0] ?? "")
    if (one === undefined) return refuse("not_found")
    agentic.decide(one, "revoked")
    return showAuthorization(one, call)
  }

  const pay = (call: Call, account: Account): Done => {
    const body = recordOf(jsonOf(call.body))
    const { amount_centavos, authorization_id, external_id } = body
    if (typeof external_id !== "string" || external_id === "" || !isAmount(amount_centavos)) {
      return refuse("amount_invalid", "external_id and amount_centavos", body)
    }
    const before = agentic.payments.find(account, external_id)
    const authorization = agentic.authorizations.of(account, String(authorization_id))
    if (before === undefined && (authorization === undefined || authorization.status !== "authorized")) {
      return refuse("request_invalid", "the authorization is not active", body)
    }
    if (before === undefined && amount_centavos > (authorization?.max_amount_centavos ?? 0)) {
      return refuse("amount_invalid", "more than was authorized", body)
    }
    const payment = before ?? agentic.pay(account, { external_id, amount_centavos })
    if (before === undefined) {
      const failed = faults.hit(["payment_failed"], { operation: "agentic_payment" }) !== undefined
      agentic.later(workMs, () => agentic.endPayment(payment, failed ? "failed" : "paid"))
    }
    return {
      answer: { status: before === undefined ? 201 : 200, body: paymentShown(payment, faults) },
      outcome: before === undefined ? "made" : "repeated",
      facts: { ...body, id: payment.id }
    }
  }

  const routes: RouteList = [
    ["GET /v1/banks", of("banks", () => ({ answer: ok({ data: banks }), outcome: "listed" }))],
    ["POST /v1/authorizations", of("authorization", authorize, "makes")],
    [
      "GET /v1/authorizations",
      of(
        "authorization_lookup",
        (call, account) => {
          const one = agentic.authorizations.find(account, call.query.get("external_id") ?? "")
          return listed(one === undefined ? [] : [authorizationShown(one, call)], call)
        },
        "finds"
      )
    ],
    [
      "GET /v1/authorizations/{}",
      of("authorization_read", (call, account) => {
        const one = agentic.authorizations.of(account, call.places[0] ?? "")
        return one === undefined ? refuse("not_found") : showAuthorization(one, call)
      })
    ],
    ["POST /v1/authorizations/{}/revoke", of("authorization_revoke", revoke)],
    ["POST /v1/agentic-payments", of("agentic_payment", pay, "makes")],
    [
      "GET /v1/agentic-payments",
      of(
        "agentic_payment_lookup",
        (call, account) => {
          const one = agentic.payments.find(account, call.query.get("external_id") ?? "")
          return listed(one === undefined ? [] : [paymentShown(one, faults)], call)
        },
        "finds"
      )
    ],
    [
      "GET /v1/agentic-payments/{}",
      of("agentic_payment_read", (call, account) => {
        const one = agentic.payments.of(account, call.places[0] ?? "")
        return one === undefined ? refuse("not_found") : showPayment(one, faults)
      })
    ]
  ]
  return { routes: [...routes, ...decisionRoutes(agentic)], close: () => agentic.close() }
}

/** The page on which a person decides on an authorization, and the decision of a test. */
const decisionRoutes = (agentic: Agentic): RouteList => [
  [
    "GET /authorize/{}",
    ({ places: [id = ""] }) => {
      const one = agentic.authorizations.any(id)
      return one === undefined ? { ...page("No such authorization", ""), status: 404 } : authorizationPage(one)
    }
  ],
  [
    "POST /authorize/{}",
    (call) => {
      const one = agentic.authorizations.any(call.places[0] ?? "")
      if (one === undefined) return { ...page("No such authorization", ""), status: 404 }
      const decision = formField(call, "decision")
      if (decision === "authorized" || decision === "rejected") agentic.decide(one, decision)
      return seeOther(`/authorize/${one.id}`)
    }
  ],
  [
    "POST /authorization-outcomes",
    ({ body }) => {
      const { id, status } = recordOf(jsonOf(body))
      const one = agentic.authorizations.any(String(id))
      const moved = one !== undefined && agentic.decide(one, status as AuthorizationStatus)
      return ok({ moved, status: one?.status ?? null })
    }
  ]
]

const showAuthorization = (one: Authorization, call: Call): Done => ({
  answer: ok(authorizationShown(one, call)),
  outcome: one.status,
  facts: { id: one.id, external_id: one.external_id }
})

const showPayment = (one: Payment, faults: Faults): Done => ({
  answer: ok(paymentShown(one, faults)),
  outcome: one.status,
  facts: { id: one.id, external_id: one.external_id }
})

/** Returns a payment as the vendor shows it, wrong where a fault says so. */
const paymentShown = ({ amount_centavos, error, external_id, id, status }: Payment, faults: Faults) => {
  const operation = "agentic_payment"
  const amount = amount_centavos + (faults.hit(["wrong_amount"], { operation }) ? 1 : 0)
  return {
    id,
    external_id: faults.hit(["wrong_external_id"], { operation }) ? `${external_id}x` : external_id,
    status,
    amount_centavos: faults.hit(["unreadable_amount"], { operation }) ? String(amount) : amount,
    error
  }
}

const listed = (data: ReadonlyArray<object>, { query }: Call): Done => ({
  answer: ok({ data }),
  outcome: data.length === 0 ? "none" : "found",
  facts: { external_id: query.get("external_id") }
})

const isAmount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0

const authorizationShown = ({ external_id, id, status }: Authorization, { headers }: Call) => ({
  id,
  external_id,
  status,
  authorization_url: `http://${headers.host}/authorize/${id}`
})

const authorizationPage = ({ external_id, id, max_amount_centavos, status }: Authorization) =>
  page(
    "Authorization",
    `<h1>Authorize payments up to ${reais(max_amount_centavos)}</h1><p>${escaped(external_id)}</p>` +
      `<p>Status: <strong id="status">${status}</strong></p>` +
      (status === "pending"
        ? `<form method="post" action="/authorize/${id}"><button name="decision" value="authorized">Authorize</button>` +
          `<button name="decision" value="rejected">Reject</button></form>`
        : "")
  )
