import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect } from "effect"
import type { Admission } from "../../admission/Admission.ts"
import { anonymous } from "../contract/ApiRequest.ts"
import type { EarlyAdmission, UnreadRequest } from "./Arrival.ts"

/**
 * Asks for the caller of a large body before it is read. What it refuses would be refused with the body too, and first: of
 * what depends on the body (the credit block and the rate of a request whose idempotency key may replay, or whose route
 * judges the body before the rate) nothing is asked yet. gaps-1 A "Order of checks in one request"
 */
export const admitUnread = (
  admission: Admission["Service"],
  { head, ip, operation }: UnreadRequest
): Effect.Effect<EarlyAdmission, ApiError> => {
  const { traits } = operation
  if (traits.authentication === "none") {
    return Effect.as(admission.source(ip, traits.rate), {
      admitted: { caller: anonymous },
      isWhole: true,
      isPaid: true
    })
  }
  const mayReplay = (traits.idempotency ?? "none") !== "none" && head.idempotencyKeys.some((key) => key !== "")
  const bodyDecides = traits.rateAfterIdempotency === true || traits.bodyBeforeRate === true
  const creditWaits = mayReplay && traits.restrictedWithoutCredit === true
  const rate = bodyDecides || creditWaits || traits.rateInHandler === true ? undefined : traits.rate
  return Effect.map(
    admission.admit({
      authorization: head.authorization,
      ip,
      traits: creditWaits ? { ...traits, restrictedWithoutCredit: false } : traits,
      operation: operation.operation,
      rate,
      rateAfterIdempotency: false,
      idempotency: undefined
    }),
    (admitted) => ({ admitted, isWhole: !mayReplay && !bodyDecides, isPaid: rate !== undefined })
  )
}
