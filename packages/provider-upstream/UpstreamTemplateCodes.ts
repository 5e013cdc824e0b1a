import { listOf, memberOf } from "./UpstreamAnswers.ts"
import { numberOf, textOf } from "./webhook/UpstreamValues.ts"

/**
 * Returns the components of an authentication template in the platform's list in the form in which it was submitted:
 * the platform writes its own texts into them, and its button as an address with the parts of the OTP button in its
 * query. Undefined for a template whose buttons hand over no code, such as one with a text of its own. U-TPL-04, U-TPL-08
 */
export const listedCodes = (components: ReadonlyArray<unknown>): ReadonlyArray<object> | undefined => {
  const buttons = components.flatMap((component) =>
    typeOf(component) === "BUTTONS" ? listOf(memberOf(component, "buttons")) : []
  )
  const [button] = buttons
  const otp = otpOf(button)
  if (otp === undefined || buttons.length !== 1) return undefined
  return components.flatMap((component): ReadonlyArray<object> => {
    switch (typeOf(component)) {
      case "BODY": {
        const recommends = memberOf(component, "add_security_recommendation")
        return [{ type: "BODY", ...(typeof recommends === "boolean" && { add_security_recommendation: recommends }) }]
      }
      case "FOOTER": {
        const minutes = numberOf(memberOf(component, "code_expiration_minutes"))
        return minutes === undefined ? [] : [{ type: "FOOTER", code_expiration_minutes: minutes }]
      }
      case "BUTTONS":
        return [{ type: "BUTTONS", buttons: [otp] }]
      default:
        return [{ type: typeOf(component) }]
    }
  })
}

/** Returns the OTP button of a listed one: as such, or as the platform's address of it. */
const otpOf = (button: unknown): object | undefined => {
  const query = queryOf(button)
  const otp_type = (textOf(memberOf(button, "otp_type")) ?? query?.get("otp_type"))?.toUpperCase()
  if (otp_type === undefined) return undefined
  const [app] = listOf(memberOf(button, "supported_apps"))
  const part = (name: string) =>
    textOf(memberOf(button, name)) ?? textOf(memberOf(app, name)) ?? textOf(query?.get(name) ?? null)
  const members = {
    text: textOf(memberOf(button, "text")),
    ...(otp_type !== "COPY_CODE" && {
      autofill_text: part("autofill_text") ?? textOf(query?.get("cta_display_name") ?? null),
      package_name: part("package_name"),
      signature_hash: part("signature_hash"),
      // The platform approves none whose terms were not accepted, and does not list that they were.
      ...(otp_type === "ZERO_TAP" && { zero_tap_terms_accepted: true })
    })
  }
  const known = Object.entries(members).filter(([, value]) => value !== null)
  return { type: "OTP", otp_type, ...Object.fromEntries(known) }
}

const queryOf = (button: unknown): URLSearchParams | undefined => {
  const url = textOf(memberOf(button, "url"))
  const at = url?.indexOf("?") ?? -1
  return typeOf(button) === "URL" && url !== null && at >= 0 ? new URLSearchParams(url.slice(at)) : undefined
}

const typeOf = (part: unknown): string | undefined => textOf(memberOf(part, "type"))?.toUpperCase()
