import type { ComponentFault, TemplateButton, TemplateComponent } from "./TemplateComponents.ts"
import { type ParameterFormat, variablesIn } from "./TemplateVariables.ts"

/** The form of an authentication template, as a sentence about it shows it. */
const shownForm =
  '[{"type":"BODY","add_security_recommendation":true},{"type":"FOOTER","code_expiration_minutes":10},' +
  '{"type":"BUTTONS","buttons":[{"type":"OTP","otp_type":"COPY_CODE"}]}]'

/** Tells what an authentication template is made of. U-TPL-04 */
export const authenticationForm = `An authentication template has the platform's text and none of its own: ${shownForm}`

type Fault = ComponentFault | undefined

const at = (member: string, issue: string): ComponentFault => ({ path: [member], issue })

const noOwnText = (part: string): string => `nothing: ${part}. ${authenticationForm}`

/** The variable that holds the code of an authentication template. */
export const codeVariable = "1"

/** Returns the variables of a template's body, each once; the platform's own text has the code in it. U-TPL-04 */
export const bodyVariables = (components: ReadonlyArray<TemplateComponent>): ReadonlyArray<string> => {
  const body = components.find(({ type }) => type === "BODY")
  if (body === undefined) return []
  return body.text === undefined ? [codeVariable] : [...new Set(variablesIn(body.text).keys)]
}

/** True when components are written in the form of authentication templates, whatever their category. */
export const isAuthenticationForm = (components: ReadonlyArray<TemplateComponent>): boolean =>
  components.some(({ buttons = [], text, type }) =>
    type === "BODY" ? text === undefined : buttons.some((button) => button.type === "OTP")
  )

/**
 * Returns the first fault of an authentication template: its texts are the platform's, and one button hands over the
 * code. U-TPL-04
 */
export const authenticationFault = (components: ReadonlyArray<TemplateComponent>, format: ParameterFormat): Fault => {
  for (const [index, component] of components.entries()) {
    const fault = partFault(component)
    if (fault !== undefined) return { ...fault, path: [index, ...fault.path] }
  }
  if (!components.some(({ type }) => type === "BUTTONS")) {
    return { path: [], issue: `BUTTONS with one OTP button. ${authenticationForm}` }
  }
  return format === "NAMED" ? { path: [], issue: "the parameter_format POSITIONAL: the code is variable 1" } : undefined
}

const partFault = (component: TemplateComponent): Fault => {
  switch (component.type) {
    case "HEADER":
      return at("type", noOwnText("authentication templates have no HEADER"))
    case "BODY":
      return strangeMember(component, ["add_security_recommendation"])
    case "FOOTER":
      return (
        strangeMember(component, ["code_expiration_minutes"]) ??
        (component.code_expiration_minutes === undefined
          ? at("code_expiration_minutes", "a whole number of minutes from 1 to 90")
          : undefined)
      )
    case "BUTTONS":
      return strangeMember(component, ["buttons"]) ?? buttonsFault(component.buttons ?? [])
  }
}

const strangeMember = (component: TemplateComponent, known: ReadonlyArray<string>): Fault => {
  const strange = Object.keys(component).find((member) => member !== "type" && !known.includes(member))
  return strange === undefined
    ? undefined
    : at(strange, noOwnText(`${component.type} of an authentication template has no ${strange}`))
}

const buttonsFault = (buttons: ReadonlyArray<TemplateButton>): Fault => {
  const [button] = buttons
  if (button === undefined || buttons.length > 1) return at("buttons", `exactly one OTP button. ${authenticationForm}`)
  const fault = button.type === "OTP" ? otpFault(button) : at("type", `OTP. ${authenticationForm}`)
  return fault && { ...fault, path: ["buttons", 0, ...fault.path] }
}

/** The members of a button by the way in which it hands over the code; the app's signature finds it on the phone. */
const otpMembers = {
  COPY_CODE: ["text"],
  ONE_TAP: ["text", "autofill_text", "package_name", "signature_hash"],
  ZERO_TAP: ["text", "autofill_text", "package_name", "signature_hash", "zero_tap_terms_accepted"]
} as const

const otpFault = (button: TemplateButton): Fault => {
  const { otp_type, package_name, signature_hash, zero_tap_terms_accepted } = button
  if (otp_type === undefined) return at("otp_type", "one of COPY_CODE, ONE_TAP, ZERO_TAP")
  const known: ReadonlyArray<string> = otpMembers[otp_type]
  const strange = Object.keys(button).find((name) => name !== "type" && name !== "otp_type" && !known.includes(name))
  if (strange !== undefined) return at(strange, `nothing: a button of otp_type ${otp_type} has no ${strange}`)
  if (otp_type === "COPY_CODE") return undefined
  if (package_name === undefined) return at("package_name", "the package name of the app that takes the code")
  if (signature_hash === undefined) return at("signature_hash", "the 11 characters of the app's signature")
  return otp_type === "ZERO_TAP" && zero_tap_terms_accepted !== true
    ? at("zero_tap_terms_accepted", "true: you accept the platform's terms for codes without a tap")
    : undefined
}
