import { type PhoneRefusal, phoneRegions, readablePhone } from "@carteiro/spellings/Phone.ts"
import { type Html, html, type Piece } from "./Html.ts"
import { countryName } from "./Language.ts"

/** Returns a phone spaced as people write it, on one line; any other name of a customer as it is. */
export const phoneText = (name: string): Piece =>
  name.startsWith("+") ? html`<span class="dialled">${readablePhone(name).text}</span>` : name

/** Shows a number as it will be dialled, with its country: a number that was typed without its country code may be of another one than meant. */
export const dialled = (phone: string): Html => {
  const { region, text } = readablePhone(phone)
  return html`<span class="dialled">${text}</span>${region !== undefined && html` · ${countryName(region)}`}`
}

/** Returns the country that has a number; undefined where no numbering plan tells. */
export const countryOfPhone = (phone: string): Html | undefined => {
  const { region } = readablePhone(phone)
  return region === undefined ? undefined : countryName(region)
}

/** Says how to write a number, and which country it is of without a country code. */
export const phoneHint = (region: string): Html =>
  html`With the country code. Without it, ${countryOf(region)} is assumed.`

const countryOf = (region: string): Piece => {
  const code = phoneRegions().find((one) => one.region === region)?.callingCode
  return html`${countryName(region)} (+${code})`
}

/** Returns why a phone number is refused, with what to write instead. */
export const phoneRefusalText = ({ fault, likely, region }: PhoneRefusal): Html => {
  if (fault === "decimal") return html`${decimal}${meant(likely)}`
  if (fault === "exponent") return html`${exponent}${meant(likely)}`
  if (region === undefined) return html`${unknownNumber}${meant(likely)}`
  const isAbroad = likely !== undefined && readablePhone(likely).region !== region
  return isAbroad
    ? html`${countryName(region)} has no such number. For a number of another country, write + and its country code: ${dialled(likely)}.`
    : html`${countryName(region)} has no such number. Write its area code, too; for a number of another country, + and its country code.${meant(likely)}`
}

const meant = (likely: string | undefined): Piece =>
  likely !== undefined && html` Did you mean ${readablePhone(likely).text}?`

const decimal = html`A spreadsheet wrote this phone number as a decimal number. Format its column as text.`
const exponent = html`A spreadsheet rounded this phone number. Format its column as text and save the list again.`
const unknownNumber = html`No country has this number. Check its digits.`
