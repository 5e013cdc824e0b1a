import type { ChatPlatform, PlatformAccount } from "@carteiro/provider/ChatPlatform.ts"
import type { NumberHealth } from "@carteiro/provider/NumberHealth.ts"
import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import { numberChanges, registrationPin, sealPin } from "../../phone-numbers/PhoneNumbers.ts"
import type { WatchedNumber } from "./ConnectionHealthRepo.ts"

/** The platform takes ten registrations of a number within 72 hours; a refused one is tried half as often. */
const triedAgainMs = 12 * hourMs

/** The platform holds another PIN for the number. */
const wrongPin = 133005

/**
 * True for a number that is to be registered now: the platform says that it is not, or refused a send because of it.
 * One that its owner also uses in the platform's phone app is not registered, and one that waits for a PIN waits.
 * U-CON-03
 */
export const wantsRegistration = (
  { registration_state, registration_tried_at }: WatchedNumber,
  { is_on_phone_app, is_registered }: Pick<NumberHealth, "is_on_phone_app" | "is_registered">,
  now: number
): boolean => {
  if (is_on_phone_app || registration_state === "pin_required") return false
  if (registration_state === "required") return true
  if (is_registered !== false) return false
  return registration_tried_at === null || now - registration_tried_at >= triedAgainMs
}

/** Registers a number under its PIN, and returns the row that records the result. U-CON-03 */
export const registerNumber = Effect.fnUntraced(function* (
  platform: ChatPlatform,
  secrets: Secrets["Service"],
  { environment_id, account }: { readonly environment_id: string; readonly account: PlatformAccount },
  number: WatchedNumber,
  now: number
): Effect.fn.Return<ReadonlyArray<Row>> {
  const { id, registration_pin, registration_state: from_state, upstream_phone_number_id } = number
  const pin = registrationPin(secrets, id, registration_pin)
  const call = yield* platform.registrar(account).register(upstream_phone_number_id, pin)
  // Without an answer the number is tried again at the next check, under the PIN that it has then.
  if (call._tag === "Failed") return []
  const isWrongPin = call._tag === "Refused" && call.error?.code === wrongPin
  return [
    numberChanges.recordRegistration({
      environment_id,
      id,
      from_state,
      registration_state: call._tag === "Done" ? "registered" : isWrongPin ? "pin_required" : "refused",
      registration_pin: call._tag === "Done" ? sealPin(secrets, id, pin) : null,
      registration_problem: call._tag === "Done" ? null : (call.error?.message ?? null),
      registration_tried_at: now
    })
  ]
})
