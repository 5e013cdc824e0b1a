import { logAndFaults, refused } from "../kit/Control.ts"
import { jsonOf, ok, type RouteList, recordOf } from "../kit/Routes.ts"
import type { Cob } from "./Cob.ts"
import type { PixApiContext } from "./PixApiContext.ts"

/** The control routes, which the product never calls: see `README.md`. */
export const pixApiControl = ({ cobs, faults, log, receivers }: PixApiContext): RouteList => {
  /** The outcomes by name: the standard knows no failed charge, so its bank removes it. */
  const movesOf = (cob: Cob): Readonly<Record<string, () => boolean>> => ({
    paid: () => cobs.pay(cob) !== undefined,
    failed: () => cobs.remove(cob, "REMOVIDA_PELO_PSP"),
    expired: () => cobs.remove(cob, "REMOVIDA_PELO_PSP"),
    cancelled: () => cobs.remove(cob, "REMOVIDA_PELO_USUARIO_RECEBEDOR")
  })
  return [
    ...logAndFaults(log, faults),
    [
      "POST /accounts",
      ({ body }) => {
        const { client_id, client_secret, key, pix_keys } = recordOf(jsonOf(body))
        const id = client_id ?? key
        if (typeof id !== "string") return refused("client_id: expected the OAuth client of a receiver")
        receivers.setUp({
          client_id: id,
          ...(typeof client_secret === "string" ? { client_secret } : undefined),
          ...(Array.isArray(pix_keys) ? { pix_keys: pix_keys.map(String) } : undefined)
        })
        return ok({ ok: true })
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
        const cob = typeof id === "string" ? cobs.any(id) : undefined
        if (cob === undefined)
          return refused("id: expected the txid, the code or a text among the information of a charge")
        const move = movesOf(cob)[String(status)]
        return move === undefined
          ? refused("status: expected paid, failed, expired or cancelled")
          : ok({ moved: move(), status: cob.status })
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
