import { isPhoneRegion, readPhone, standardRegion } from "@carteiro/spellings/Phone.ts"
import { CarteiroSpellingError } from "./transport/Errors.ts"

/**
 * Returns a phone number as the API takes it: `phone("(11) 98765-4321", "BR")` is `"+5511987654321"`. Only `+` or `00`
 * begins an international number; any other is read in the region, an ISO 3166 code. Throws `CarteiroSpellingError` for
 * what is no valid number, with the likely number in `likely` and its message. gaps-2 A "Phones outside `recipient.id`"
 */
export const phone = (written: string, region: string = standardRegion): string => {
  const code = region.toUpperCase()
  if (!isPhoneRegion(code)) {
    throw new CarteiroSpellingError("region", `${region} is no ISO 3166 code of a region, such as BR.`, undefined)
  }
  const { phone, refusal } = readPhone(String(written), code)
  if (refusal === undefined) return phone
  throw new CarteiroSpellingError(refusal.fault, refusal.message, refusal.likely)
}
