import { reais } from "../kit/Reais.ts"
import type { RouteList, SimulatedAnswer } from "../kit/Routes.ts"
import { escaped, formField, page, seeOther } from "../pix/Pages.ts"
import { type Cob, codeOf, pictureOf } from "./Cob.ts"
import type { Cobs } from "./Cobs.ts"

const missing: SimulatedAnswer = { ...page("No such payment", "<h1>No such payment</h1>"), status: 404 }

/** The app of a payer's bank, which takes the code of a Pix. Its button acts as the payer. */
export const pixApiPages = (cobs: Cobs): RouteList => [
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
      const cob = cobs.any(formField(call, "code").trim())
      return cob === undefined ? missing : seeOther(`/pay/${cob.txid}`)
    }
  ],
  [
    "GET /pay/{}",
    ({ places: [name = ""] }) => {
      const cob = cobs.any(name)
      return cob === undefined ? missing : cobPage(cobs, cob)
    }
  ],
  [
    "POST /pay/{}",
    (call) => {
      const cob = cobs.any(call.places[0] ?? "")
      if (cob === undefined) return missing
      if (formField(call, "outcome") === "paid" && cobs.isPayable(cob)) void cobs.pay(cob)
      return seeOther(`/pay/${cob.txid}`)
    }
  ]
]

const cobPage = async (cobs: Cobs, cob: Cob): Promise<SimulatedAnswer> => {
  const { request, status, txid } = cob
  const button = `<form method="post" action="/pay/${txid}"><button name="outcome" value="paid">Pay</button></form>`
  return page(
    "Payment",
    `<h1>${reais(request.centavos)}</h1><p>${escaped(request.solicitacaoPagador ?? "")}</p>` +
      `<p>Status: <strong id="status">${status === "CONCLUIDA" ? "paid" : status}</strong></p>` +
      `<p><img alt="QR code" width="200" src="data:image/png;base64,${await pictureOf(cob)}"></p>` +
      `<p><code id="code">${codeOf(cob) ?? ""}</code></p>${cobs.isPayable(cob) ? button : ""}`
  )
}
