import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect } from "effect"
import type { Admission } from "../admission/Admission.ts"
import { LetIn } from "../admission/LetIn.ts"
import type { Credentials } from "../contract/ApiRequest.ts"
import type { EarlyAdmission, UnreadRequest } from "./Arrival.ts"

/**
 * Admits the caller of a large body before the body is read. Its refusals would also be the first ones with the body.
 * Checks that depend on the body come later: the credit block and the rate of a request whose idempotency key may
 * replay, or whose route judges the body before the rate. gaps-1 A "Order of checks in one request"
 */
export const admitUnread = (
  admission: Admission["Service"],
  request: UnreadRequest
): Effect.Effect<EarlyAdmission, ApiError> => {
  const { admitted, head, ip, operation } = request
  const { entrance, traits } = operation
  if (entrance.by === "nobody" || entrance.by === "itself") {
    const paid = Effect.as(admission.source(ip, traits.rate), { caller: undefined, isPaid: true, holder: undefined })
    // A body may take minutes, so valid credentials are checked again when it has arrived.
    return entrance.by === "nobody" ? paid : Effect.tap(paid, () => entrance.authenticate(credentialsOf(request)))
  }
  const mayReplay = (traits.idempotency ?? "none") !== "none" && head.idempotencyKeys.some((key) => key !== "")
  const bodyDecides = traits.rateAfterIdempotency === true || traits.bodyBeforeRate === true
  const creditWaits = mayReplay && traits.restrictedWithoutCredit === true
  const rate = bodyDecides || creditWaits || traits.rateInHandler === true ? undefined : traits.rate
  return Effect.map(
    LetIn.ask(admission, {
      authorization: head.authorization,
      ip,
      traits: creditWaits ? { ...traits, restrictedWithoutCredit: false } : traits,
      operation: operation.operation,
      rate,
      isRead: operation.method === "GET",
      rateAfterIdempotency: false,
      idempotency: undefined,
      onOwner: admitted.onOwner
    }),
    (caller) => ({
      caller: mayReplay || bodyDecides ? undefined : caller,
      isPaid: rate !== undefined,
      holder: caller.admitted.caller.environment_id
    })
  )
}

/** Returns the credentials of a request to a route with its own authentication. */
export const credentialsOf = ({ head, now, params }: Pick<UnreadRequest, "head" | "now" | "params">): Credentials => {
  const { authorization, cookie, csrfToken } = head
  return { params: params as Credentials["params"], authorization, cookie, csrfToken, now }
}
