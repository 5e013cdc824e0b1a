import { type Subject, subjectHashes } from "@carteiro/owners/Subject.ts"
import type { RequestWarning } from "@carteiro/schema/conventions/Access.ts"
import {
  InvalidPhoneCountryCallingCode,
  InvalidPhoneE164,
  InvalidPhoneNationalNumber
} from "@carteiro/schema/messages/MessageErrors.ts"
import type { RecipientAddress } from "@carteiro/schema/messages/SendMessage.ts"
import {
  type Channel,
  customerTypes,
  formerKeysOf,
  hiddenCustomerType,
  isGroupId,
  matchKey,
  phoneDigits
} from "@carteiro/schema/messages/Vocabulary.ts"
import type { Secrets } from "@carteiro/secrets/Secrets.ts"
import { isPossiblePhone, isValidPhone, readPhone as readWrittenPhone } from "@carteiro/spellings/Phone.ts"
import { recipientKeys } from "@carteiro/spellings/RecipientKeys.ts"
import { Result } from "effect"
import { parsePhoneNumberFromString, validatePhoneNumberLength } from "libphonenumber-js/max"

/**
 * A validated customer address: `id` as reads show it, `key` as windows, consent and conversations compare it. gaps-2 B
 */
export interface Customer {
  readonly type: RecipientAddress["type"]
  readonly id: string
  readonly key: string
}

/**
 * Returns the customer of a message in the form in which events and stored responses name their subject; null for a
 * withheld phone, and for a group, which is no person. U-SND-11
 */
export const subjectOf = (channel: Channel, customer_key: string): Subject | null =>
  customer_key === "" || isGroupId(customer_key) ? null : { type: customerTypes[channel], key: customer_key }

/** Returns the channels on which customers of a kind write. */
export const channelsOf = (type: string): ReadonlyArray<Channel> =>
  (Object.keys(customerTypes) as ReadonlyArray<Channel>).filter((channel) => customerTypes[channel] === type)

/** Returns the keyed hashes of a customer, joined by commas, under which an erased customer's opt-out is found, of
 * former keys too. */
export const subjectTexts = (
  secrets: Secrets["Service"],
  environment_id: string,
  channel: Channel,
  customer_key: string
): string =>
  [customer_key, ...formerKeysOf(customer_key)]
    .flatMap((key) => subjectHashes(secrets, environment_id, { type: customerTypes[channel], key }))
    .join(",")

/** Returns the keyed hashes of a message's customer, for a stored response. */
export const subjectsOf = (message: {
  readonly channel: Channel
  readonly customer_key: string
}): ReadonlyArray<Subject> => {
  const subject = subjectOf(message.channel, message.customer_key)
  return subject === null ? [] : [subject]
}

/** A refusal of a phone number in a body. M-RCP-03, M-RCP-07..09 */
export type PhoneRefusal = InvalidPhoneE164 | InvalidPhoneCountryCallingCode | InvalidPhoneNationalNumber

/** Returns a phone customer from validated digits. gaps-2 B "Both or neither recipient form" */
const phoneCustomer = (digits: string): Customer => ({
  type: "phone_e164",
  id: `+${digits}`,
  key: matchKey(digits)
})

/** Returns the customer whom an id of the platform addresses; whoever accepts the send finds their key. U-HID-02 */
export const hiddenCustomer = (user_id: string): Customer => ({ type: hiddenCustomerType, id: user_id, key: user_id })

/** Returns the customer of a phone written in one string, or the refusal that names `param`. M-RCP-01..03, M-INB-18 */
export const readPhone = (written: string, param: string): Result.Result<Customer, InvalidPhoneE164> => {
  const digits = phoneDigits(written)
  return digits === undefined ? Result.fail(new InvalidPhoneE164({ param })) : Result.succeed(phoneCustomer(digits))
}

/** Returns the customer like `readPhone`; the length must also exist in some numbering plan. M-SBX-13 */
export const readPossiblePhone = (written: string, param: string): Result.Result<Customer, InvalidPhoneE164> => {
  const digits = phoneDigits(written)
  return digits === undefined || !isPossiblePhone(digits)
    ? Result.fail(new InvalidPhoneE164({ param, message: notPossible }))
    : Result.succeed(phoneCustomer(digits))
}

const notPossible =
  "This is no possible phone number. Write + and the country's calling code before it, such as +5511987654321."

/** Returns the warning about an accepted customer whose phone no country has. gaps-2 A "Phones outside `recipient.id`" */
export const recipientWarning = ({
  id,
  type
}: {
  readonly type: string
  readonly id: string
}): RequestWarning | undefined =>
  type === "phone_e164" && !isValidPhone(id.slice(1)) ? "invalid_phone_number" : undefined

/** Returns the refusal of a filter that is no phone number, with the likely one. */
export const refusedRecipient = (written: string, region: string): string | undefined =>
  recipientKeys(written, region).length > 0 ? undefined : readWrittenPhone(written, region).refusal?.message

// The library exports no list of calling codes; it recognises exactly the existing ones in front of any digits.
const isCallingCode = (code: string): boolean =>
  parsePhoneNumberFromString(`+${code}12345678`)?.countryCallingCode === code

const separators = /[ ().-]/g

/**
 * Checks calling code and national number against the numbering plan. M-RCP-06..10, gaps-2 B "Structured number errors"
 */
export const readStructuredPhone = (code: string, national: string): Result.Result<Customer, PhoneRefusal> => {
  const callingCode = /^\+?(\d{1,3})$/.exec(code)?.[1]
  if (callingCode === undefined || !isCallingCode(callingCode)) {
    return Result.fail(new InvalidPhoneCountryCallingCode({ param: "recipient.country_calling_code" }))
  }
  const digits = national.length > 64 ? "" : national.replace(separators, "")
  const whole = `+${callingCode}${digits}`
  if (!/^\d{1,17}$/.test(digits) || validatePhoneNumberLength(whole) !== undefined) {
    return Result.fail(new InvalidPhoneNationalNumber({ param: "recipient.national_number" }))
  }
  const number = parsePhoneNumberFromString(whole)
  return number?.isValid() === true
    ? Result.succeed(phoneCustomer(number.number.slice(1)))
    : Result.fail(new InvalidPhoneE164({ param: "recipient" }))
}

/** Returns the recipient of a decoded body, in either form. M-MSG-17, M-RCP-01..11 */
export const readRecipient = (recipient: RecipientAddress): Result.Result<Customer, PhoneRefusal> => {
  const { country_calling_code: code, id, national_number: national, type } = recipient
  if (type === hiddenCustomerType) return Result.succeed(hiddenCustomer(id ?? ""))
  if (type !== "phone_e164") return Result.succeed({ type, id: id ?? "", key: id ?? "" })
  return typeof id === "string" ? readPhone(id, "recipient.id") : readStructuredPhone(code ?? "", national ?? "")
}
