import { logAndFaults, refused } from "../kit/Control.ts"
import { jsonOf, ok, type RouteList, recordOf } from "../kit/Routes.ts"
import type { Cobs } from "./Cobs.ts"
import type { PixApiContext } from "./PixApiContext.ts"

/** The control routes, which the product never calls: see `README.md`. */
export const pixApiControl = ({ cobs, faults, log, receivers }: PixApiContext): RouteList => {
  return [
    ...logAndFaults(log, faults),
    [
      "POST /accounts",
      ({ body }) => {
        const { client_id, client_secret, key, pix_keys, scopes } = recordOf(jsonOf(body))
        const id = client_id ?? key
        if (typeof id !== "string") return refused("client_id: expected the OAuth client of a receiver")
        const isKnown = receivers.setUp({
          client_id: id,
          ...(typeof client_secret === "string" ? { client_secret } : undefined),
          ...(Array.isArray(pix_keys) ? { pix_keys: pix_keys.map(String) } : undefined),
          ...(Array.isArray(scopes) ? { scopes: scopes.map(String) } : undefined)
        })
        return isKnown ? ok({ ok: true }) : refused("client_secret: expected the secret of a new client")
      }
    ],
    [
      "DELETE /tokens",
      () => {
        receivers.revoke()
        return ok({ ok: true })
      }
    ],
    [
      "POST /outcomes",
      ({ body }) => {
        const { id, status } = recordOf(jsonOf(body))
        if (typeof id !== "string") return refused("id: expected the txid, the code or a text of a charge")
        if (!isDecision(status)) return refused("status: expected paid, failed, expired or cancelled")
        const decision = decideCob(cobs, id, status)
        return decision === undefined ? refused("id: no charge has it") : ok(decision)
      }
    ],
    [
      "POST /late-payments",
      ({ body }) => {
        const { charge } = recordOf(jsonOf(body))
        const cob = cobs.any(String(charge))
        if (cob === undefined) return refused("charge: expected the txid of a charge")
        return ok({ moved: cobs.pay(cob) !== undefined, status: cob.status })
      }
    ]
  ]
}

/** What ends a charge. */
export type CobDecision = "paid" | "failed" | "expired" | "cancelled"

const isDecision = (status: unknown): status is CobDecision =>
  status === "paid" || status === "failed" || status === "expired" || status === "cancelled"

/**
 * Ends a charge by its txid, code or a text among its information, as its payer, bank or time does; undefined for an
 * unknown name. The standard knows no failed charge, so its bank removes it.
 */
export const decideCob = (
  cobs: Cobs,
  name: string,
  decision: CobDecision
): { readonly moved: boolean; readonly status: string } | undefined => {
  const cob = cobs.any(name)
  if (cob === undefined) return undefined
  const removal = decision === "cancelled" ? "REMOVIDA_PELO_USUARIO_RECEBEDOR" : "REMOVIDA_PELO_PSP"
  const moved = decision === "paid" ? cobs.pay(cob) !== undefined : cobs.remove(cob, removal)
  return { moved, status: cob.status }
}
