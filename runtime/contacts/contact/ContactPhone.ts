import { InvalidPhoneE164 } from "@carteiro/schema/messages/MessageErrors.ts"
import { matchKey } from "@carteiro/schema/messages/PhoneDigits.ts"
import { readPhone } from "@carteiro/spellings/Phone.ts"
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
