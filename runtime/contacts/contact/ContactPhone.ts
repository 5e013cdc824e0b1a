import type { RequestWarning } from "@carteiro/schema/conventions/Access.ts"
import { InvalidPhoneE164 } from "@carteiro/schema/messages/MessageErrors.ts"
import { matchKey } from "@carteiro/schema/messages/PhoneDigits.ts"
import { isValidPhone, readPhone, readUnlistedPhone } from "@carteiro/spellings/Phone.ts"
import { Result } from "effect"

/** The phone of a customer as it was read: `phone` is `+` and digits. */
export interface ContactPhone {
  readonly phone: string
  readonly match_key: string
}

/**
 * Reads a phone of a body or a filter in the region of the project; the refusal names `param` and the likely number.
 * gaps-2 A "Phones outside `recipient.id`"
 */
export const readContactPhone = (
  written: string,
  region: string,
  param: string
): Result.Result<ContactPhone, InvalidPhoneE164> => {
  const { phone, refusal } = readPhone(written, region)
  return refusal === undefined
    ? Result.succeed({ phone, match_key: matchKey(phone.slice(1)) })
    : Result.fail(new InvalidPhoneE164({ param, message: refusal.message }))
}

/**
 * Reads the phone of an opt-out or a filter like `readContactPhone`. It also takes an international number that no numbering
 * plan lists: `recipient.id` takes it too, so its customer can be written to and must be able to end that. Decision 0144
 */
export const readStoppedPhone: typeof readContactPhone = (written, region, param) => {
  const phone = readUnlistedPhone(written, region)
  return phone === undefined
    ? readContactPhone(written, region, param)
    : Result.succeed({ phone, match_key: matchKey(phone.slice(1)) })
}

/** Returns the warning about an opt-out that was taken for a number that no numbering plan lists. Decision 0144 */
export const stoppedPhoneWarning = (written: string | undefined, region: string): RequestWarning | undefined => {
  const phone = written === undefined ? undefined : readUnlistedPhone(written, region)
  return phone === undefined || isValidPhone(phone.slice(1)) ? undefined : "invalid_phone_number"
}
