import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import type { NumberRegistrar } from "@carteiro/provider/NumberRegistration.ts"
import type { ConnectedAccount } from "@carteiro/provider/TemplateProvider.ts"
import { Effect } from "effect"
import { missings } from "./Missings.ts"
import type { Rental, RentalSeen, UpstreamNumber } from "./Rental.ts"

/**
 * Takes a number one step further at the chat platform, from its present state there: so a lost answer does no harm,
 * and no completed step is repeated. docs/decisions/0033-number-registration.md
 */
export const lookAtRegistration = Effect.fnUntraced(function* (
  { biz_account_id, provider: registrar }: ConnectedAccount<NumberRegistrar>,
  rental: Rental,
  pin: string
): Effect.fn.Return<RentalSeen> {
  const { display_name, phone, verification_code } = rental
  if (phone === null) return { _tag: "Missed", reason: missings.unknown }
  const found = yield* registrar.find(phone)
  if (found._tag !== "Done") return notDone(found)
  let number = found.value
  if (number === null) {
    const added = yield* registrar.add({ phone, display_name: display_name ?? phone })
    if (added._tag !== "Done") return notDone(added)
    number = { ...added.value, is_verified: false, is_registered: false }
  }
  const { upstream_phone_number_id } = number
  const upstream = { upstream_phone_number_id, biz_account_id }
  if (!number.is_verified) {
    const verified =
      verification_code === null ? undefined : yield* registrar.verifyCode(upstream_phone_number_id, verification_code)
    // A new code replaces one that is wrong or too old.
    if (verified === undefined || verified._tag === "Refused") {
      const asked = yield* registrar.requestCode(upstream_phone_number_id)
      return asked._tag === "Done" ? { _tag: "CodeRequested", upstream } : notDone(asked, upstream)
    }
    if (verified._tag !== "Done") return notDone(verified, upstream)
  }
  if (!number.is_registered) {
    const registered = yield* registrar.register(upstream_phone_number_id, pin)
    if (registered._tag !== "Done") return notDone(registered, upstream)
  }
  return { _tag: "Registered", upstream }
})

const notDone = (
  call: Exclude<ChatCall<unknown>, { readonly _tag: "Done" }>,
  upstream?: UpstreamNumber
): RentalSeen => ({
  _tag: "Missed",
  reason: call._tag === "Refused" ? missings.notRegistered(call.error?.message ?? null) : missings.platformUnavailable,
  ...(upstream === undefined ? undefined : { upstream })
})
