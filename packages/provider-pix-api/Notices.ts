import { createHash, timingSafeEqual } from "node:crypto"
import type { PixNotices } from "@carteiro/provider/payments/PixNotices.ts"
import { jsonOf, memberOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import { Effect, Redacted } from "effect"
import { idOfTxid } from "./Txid.ts"

/**
 * The notices of received Pix. The standard signs nothing: an address that only the institution was told proves them, and
 * the charges that they name are read back.
 */
export const pixApiNotices: PixNotices = {
  url: (receiver, secret) =>
    secret === undefined ? receiver : `${receiver}/${encodeURIComponent(Redacted.value(secret))}`,
  prove: ({ body, token }, secrets) => {
    if (token === null) return undefined
    const given = digestOf(token)
    // Every secret is compared, so that the time reveals nothing.
    let fits = false
    for (const secret of secrets) if (timingSafeEqual(given, digestOf(Redacted.value(secret)))) fits = true
    return fits ? { id: digestOf(body).toString("hex") } : undefined
  },
  about: (_key, body) => Effect.succeed(namedBy(body))
}

const digestOf = (value: string | Uint8Array): Buffer => createHash("sha256").update(value).digest()

/** Returns our ids of the charges whose Pix a notice lists, each once. */
const namedBy = (body: Uint8Array): ReadonlyArray<string> => {
  const list = memberOf(jsonOf({ bytes: body }), "pix")
  if (!Array.isArray(list)) return []
  return [...new Set(list.flatMap((one) => idOfTxid(memberOf(one, "txid")) ?? []))]
}
