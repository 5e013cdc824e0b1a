import { reais } from "../kit/Reais.ts"
import type { Call, RouteList, SimulatedAnswer } from "../kit/Routes.ts"
import { type Charge, type Charges, hasEnded } from "./Charges.ts"

/** A page for people. */
export const page = (title: string, content: string): SimulatedAnswer => ({
  status: 200,
  body: Buffer.from(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<title>${title}</title><style>body{font:1rem/1.5 system-ui;max-width:28rem;margin:3rem auto;padding:0 1rem}` +
      `button{font:inherit;padding:.5rem 1rem;margin-right:.5rem}code{word-break:break-all}</style>${content}</html>`
  ),
  headers: { "content-type": "text/html; charset=utf-8" }
})

/** Returns a text escaped for a page. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Redirects to a page after one of its buttons was pressed. */
export const seeOther = (location: string): SimulatedAnswer => ({ status: 303, body: {}, headers: { location } })

/** Returns the value of a form field. */
export const formField = ({ body }: Call, name: string): string => new URLSearchParams(body.toString()).get(name) ?? ""

const missing: SimulatedAnswer = { ...page("No such payment", "<h1>No such payment</h1>"), status: 404 }

/**
 * The pages on which people pay: the page of a checkout, and a bank's app that takes the code of a Pix. The buttons act
 * as a payer, or an approver.
 */
export const paymentPages = (charges: Charges): RouteList => [
  [
    "GET /pay/{}",
    ({ places: [id = ""] }) => {
      const charge = charges.any(id)
      return charge === undefined ? missing : chargePage(charge)
    }
  ],
  [
    "POST /pay/{}",
    (call) => {
      const charge = charges.any(call.places[0] ?? "")
      if (charge === undefined) return missing
      const outcome = formField(call, "outcome")
      if (outcome === "paid" || outcome === "failed" || outcome === "approved") charges.end(charge, outcome)
      return seeOther(`/pay/${charge.id}`)
    }
  ],
  [
    "GET /bank",
    () =>
      page(
        "Bank",
        `<h1>Pay a Pix</h1><form method="post" action="/bank"><label>Pix code <input name="code"></label>` +
          `<button>Continue</button></form>`
      )
  ],
  [
    "POST /bank",
    (call) => {
      const charge = charges.any(formField(call, "code").trim())
      return charge === undefined ? missing : seeOther(`/pay/${charge.id}`)
    }
  ]
]

const chargePage = async (charge: Charge): Promise<SimulatedAnswer> => {
  const { amount_centavos, approval, description, id, pix_copy_paste, qrCode, status, success_url } = charge
  const button = (outcome: string, label: string) => `<button name="outcome" value="${outcome}">${label}</button>`
  const back = status === "paid" && success_url !== null ? `<p><a href="${escaped(success_url)}">Back</a></p>` : ""
  const buttons = hasEnded(charge)
    ? back
    : `<form method="post" action="/pay/${id}">${button("paid", "Pay")}${button("failed", "Decline")}` +
      `${approval === null || status === "approved" ? "" : button("approved", "Approve")}</form>`
  return page(
    "Payment",
    `<h1>${reais(amount_centavos)}</h1><p>${escaped(description ?? "")}</p><p>Status: <strong id="status">${status}</strong></p>` +
      `<p><img alt="QR code" width="200" src="data:image/png;base64,${await qrCode()}"></p>` +
      `<p><code id="code">${pix_copy_paste}</code></p>${buttons}`
  )
}
