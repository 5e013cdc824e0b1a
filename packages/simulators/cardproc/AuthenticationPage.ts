import { reais } from "../kit/Reais.ts"
import type { SimulatedAnswer } from "../kit/Routes.ts"
import type { Charge } from "./Charges.ts"

/** Returns the page on which a cardholder authenticates, or declines to. */
export const authenticationPage = (charge: Charge | undefined): SimulatedAnswer =>
  charge === undefined
    ? page(404, "<p>No such payment.</p>")
    : page(
        200,
        `<p>Payment of ${reais(charge.amount_centavos)}: <strong id="status">${charge.status}</strong></p>` +
          (charge.status === "requires_action"
            ? '<form method="post"><button name="outcome" value="approve">Approve</button> <button name="outcome" value="deny">Deny</button></form>'
            : "")
      )

const page = (status: number, body: string): SimulatedAnswer => ({
  status,
  body: Buffer.from(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Simulated card processor</title>${body}</html>`
  ),
  headers: { "content-type": "text/html; charset=utf-8" }
})
