import { reais } from "../kit/Reais.ts"
import type { Call, RouteList, SimulatedAnswer } from "../kit/Routes.ts"
import type { Account } from "./account/Account.ts"
import type { Charges } from "./account/ChargeView.ts"
import { sharedCards } from "./account/TestCards.ts"

/** The pages for people: the checkout, where a card is saved, and the authentication of a payment. */
export const pages = (account: Account, charges: Charges): RouteList => {
  const sessionOf = ({ places: [id = ""] }: Call) =>
    account.sessions.objects.get(id) === undefined ? undefined : account.sessions.require(id)
  const intentOf = ({ places: [secret = ""] }: Call) => {
    charges.landDue()
    return account.intents.objects.list.find(({ client_secret }) => client_secret === secret)
  }
  return [
    ["GET /c/pay/{}", (call) => checkoutPage(sessionOf(call), false)],
    [
      "POST /c/pay/{}",
      (call) => {
        const session = sessionOf(call)
        if (session?.status !== "open") return checkoutPage(session, false)
        const { cancel_url, id, success_url } = session
        const picked = new URLSearchParams(call.body.toString("utf8")).get("card") ?? ""
        if (picked === "") return cancel_url === null ? checkoutPage(session, false) : seeOther(cancel_url)
        if (!account.sessions.complete(session, picked)) return checkoutPage(session, true)
        return seeOther((success_url ?? "").replaceAll("{CHECKOUT_SESSION_ID}", id))
      }
    ],
    ["GET /authenticate/{}", (call) => authenticationPage(intentOf(call), charges)],
    [
      "POST /authenticate/{}",
      (call) => {
        const intent = intentOf(call)
        const returnUrl = intent?.next_action?.redirect_to_url?.return_url ?? null
        const isProven = new URLSearchParams(call.body.toString("utf8")).get("outcome") !== "deny"
        if (intent !== undefined) account.intents.authenticate(intent, isProven)
        if (intent === undefined || returnUrl === null) return authenticationPage(intent, charges)
        const url = new URL(returnUrl)
        url.searchParams.set("payment_intent", intent.id)
        url.searchParams.set("payment_intent_client_secret", intent.client_secret ?? "")
        url.searchParams.set("redirect_status", isProven ? "succeeded" : "failed")
        return seeOther(url.href)
      }
    ]
  ]
}

const checkoutPage = (
  session: ReturnType<Account["sessions"]["require"]> | undefined,
  isDeclined: boolean
): SimulatedAnswer => {
  if (session === undefined) return page(404, "<h1>No such page</h1>")
  if (session.status !== "open") return page(200, `<h1>This page is closed</h1><p id="status">${session.status}</p>`)
  const options = Object.entries(sharedCards).map(
    ([name, { last4 }]) => `<button name="card" value="${name}">Visa ending in ${last4}: ${name}</button>`
  )
  const back = session.cancel_url === null ? "" : '<button name="card" value="">Back</button>'
  const declined = isDeclined ? '<p role="alert">Your card was declined. Try another card.</p>' : ""
  return page(
    200,
    `<h1>Save a card</h1>${declined}<form method="post" action="/c/pay/${session.id}">${options.join("<br>")}<br>${back}</form>`
  )
}

const authenticationPage = (intent: Parameters<Charges["shown"]>[0] | undefined, charges: Charges): SimulatedAnswer => {
  if (intent === undefined) return page(404, "<h1>No such payment</h1>")
  const { amount_centavos, status } = charges.shown(intent)
  const form =
    '<form method="post"><button name="outcome" value="approve">Approve</button> ' +
    '<button name="outcome" value="deny">Deny</button></form>'
  return page(
    200,
    `<p>Payment of ${reais(amount_centavos)}: <strong id="status">${status}</strong></p>${status === "requires_action" ? form : ""}`
  )
}

const seeOther = (location: string): SimulatedAnswer => ({ status: 303, body: {}, headers: { location } })

const page = (status: number, body: string): SimulatedAnswer => ({
  status,
  body: Buffer.from(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>Simulated Stripe</title><style>body{font:1rem/1.5 system-ui;max-width:28rem;margin:3rem auto;padding:0 1rem}` +
      `button{font:inherit;padding:.5rem 1rem;margin:.25rem 0}</style>${body}</html>`
  ),
  headers: { "content-type": "text/html; charset=utf-8" }
})
