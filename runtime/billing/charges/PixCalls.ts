import type { PixCharge, PixCharges, PixNoCharge } from "@carteiro/provider/payments/PixCharges.ts"
import { Effect } from "effect"
import { centavosOf, refusalOf } from "./CardCalls.ts"
import { type Charge, type ChargeSeen, mayCall } from "./Charge.ts"

/**
 * Asks the Pix provider about a charge, as `lookAtCard` does: it is made once, and from then on looked up by its id or
 * ours. `noticeUrl` is where the vendor is to tell of it.
 */
export const lookAtPix = Effect.fnUntraced(function* (
  provider: PixCharges,
  charge: Charge,
  now: number,
  noticeUrl: string | null = null
): Effect.fn.Return<ChargeSeen> {
  const { id, provider_charge_id } = charge
  if (!mayCall(charge, now)) {
    const found = provider_charge_id === null ? provider.lookUp(id) : provider.read(provider_charge_id)
    return seenOf(charge, yield* found, false)
  }
  const created = yield* provider.create({
    external_id: id,
    amount_centavos: centavosOf(charge),
    description: null,
    expires_in_seconds: Math.max(1, Math.floor((charge.expires_at - now) / 1000)),
    notice_url: noticeUrl
  })
  return seenOf(charge, created, true)
})

const seenOf = (charge: Charge, answer: PixCharge | PixNoCharge, isOrder: boolean): ChargeSeen => {
  switch (answer._tag) {
    case "Absent":
      return { _tag: "Absent" }
    case "Unknown":
      return { _tag: "Unknown" }
    case "Refused":
      return refusalOf(charge, null, isOrder)
    case "Charge":
      return answer.external_id === charge.id && (answer.amount_centavos ?? centavosOf(charge)) === centavosOf(charge)
        ? statusOf(answer)
        : { _tag: "Foreign" }
  }
}

const statusOf = (answer: PixCharge): ChargeSeen => {
  const facts = {
    provider_charge_id: answer.id,
    pix_copy_paste: answer.pix_copy_paste,
    pix_qr_code_base64: answer.pix_qr_code_base64,
    pix_expires_at: answer.expires_at
  }
  switch (answer.status) {
    case "paid":
      return { _tag: "Paid", facts }
    case "failed":
      return { _tag: "Failed", facts, decline_code: null }
    case "expired":
    case "cancelled":
      return { _tag: "Expired", facts }
    case "pending":
    case "approved":
      return { _tag: "Waiting", facts }
  }
}
