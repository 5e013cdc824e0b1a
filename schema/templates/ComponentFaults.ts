import { Schema } from "effect"
import { text } from "../conventions/Text.ts"
import { authenticationFault, isAuthenticationForm } from "./AuthenticationForm.ts"
import type { ComponentFault, TemplateButton, TemplateComponent } from "./TemplateComponents.ts"
import { type ParameterFormat, variablesFault, variablesIn } from "./TemplateVariables.ts"

type Fault = ComponentFault | undefined

/**
 * Returns the first fault of a template's components, in their order. Without a category they may have either form.
 * M-TPL-04, M-TPL-05, U-TPL-04, gaps-2 G "Component shapes"
 */
export const componentsFault = (
  components: ReadonlyArray<TemplateComponent>,
  format: ParameterFormat,
  category?: "marketing" | "utility" | "authentication"
): Fault => {
  const seen = new Set<string>()
  for (const [index, { type }] of components.entries()) {
    if (seen.has(type)) return { path: [index, "type"], issue: `only one ${type}` }
    seen.add(type)
  }
  if (category === "authentication" || (category === undefined && isAuthenticationForm(components))) {
    return bodyAmong(seen) ?? authenticationFault(components, format)
  }
  for (const [index, component] of components.entries()) {
    const fault = strangeMember(component, members[component.type]) ?? componentFault(component, format)
    if (fault !== undefined) return { ...fault, path: [index, ...fault.path] }
  }
  return bodyAmong(seen)
}

const bodyAmong = (types: ReadonlySet<string>): Fault =>
  types.has("BODY") ? undefined : { path: [], issue: "exactly one BODY" }

const at = (member: string, issue: string): ComponentFault => ({ path: [member], issue })

const members: Readonly<Record<TemplateComponent["type"], ReadonlyArray<string>>> = {
  HEADER: ["format", "text", "example"],
  BODY: ["text", "example"],
  FOOTER: ["text"],
  BUTTONS: ["buttons"]
}

const buttonMembers: Readonly<Record<TemplateButton["type"], ReadonlyArray<string>>> = {
  QUICK_REPLY: ["text", "payload"],
  URL: ["text", "url", "example"],
  PHONE_NUMBER: ["text", "phone_number"],
  COPY_CODE: ["example"],
  FLOW: ["text", "flow_id"],
  // The platform labels it in the language of the customer. U-HID-06
  REQUEST_CONTACT_INFO: [],
  OTP: []
}

const strangeMember = (part: { readonly type: string }, known: ReadonlyArray<string>): Fault => {
  if (part.type === "OTP") return at("type", "another type: only authentication templates have an OTP button")
  const strange = Object.keys(part).find((member) => member !== "type" && !known.includes(member))
  return strange === undefined ? undefined : at(strange, `nothing: ${part.type} has no ${strange}`)
}

const isShortText = Schema.is(text(1, 60))

const componentFault = (component: TemplateComponent, format: ParameterFormat): Fault => {
  switch (component.type) {
    case "HEADER":
      return headerFault(component, format)
    case "BODY":
      return bodyFault(component, format)
    case "FOOTER":
      return isShortText(component.text)
        ? withoutVariables("text", component.text)
        : at("text", "text of 1 to 60 characters")
    case "BUTTONS":
      return buttonsFault(component.buttons ?? [], format)
  }
}

const withoutVariables = (member: string, written: string): Fault => {
  const { hasLooseBraces, keys } = variablesIn(written)
  return keys.length > 0 || hasLooseBraces ? at(member, "text without variables") : undefined
}

const headerFault = ({ example, format: kind, text }: TemplateComponent, format: ParameterFormat): Fault => {
  if (kind === undefined) return at("format", "one of TEXT, IMAGE, VIDEO, DOCUMENT")
  if (kind !== "TEXT") {
    if (text !== undefined) return at("text", `nothing: the header is ${kind}`)
    return strangeExample(example, ["header_handle"])
  }
  if (!isShortText(text)) return at("text", "text of 1 to 60 characters")
  const variables = variablesIn(text)
  if (variables.keys.length > 1) return at("text", "at most one variable")
  return (
    fault("text", variablesFault(variables, format)) ??
    strangeExample(example, ["header_text", "header_text_named_params"]) ??
    examplesFault(variables.keys, format, {
      positional: ["header_text", example?.header_text === undefined ? undefined : [example.header_text].flat()],
      named: ["header_text_named_params", example?.header_text_named_params]
    })
  )
}

const bodyFault = ({ example, text }: TemplateComponent, format: ParameterFormat): Fault => {
  if (text === undefined) return at("text", "text of 1 to 1024 characters")
  const variables = variablesIn(text)
  return (
    fault("text", variablesFault(variables, format)) ??
    strangeExample(example, ["body_text", "body_text_named_params"]) ??
    examplesFault([...new Set(variables.keys)], format, {
      positional: ["body_text", example?.body_text?.flat()],
      named: ["body_text_named_params", example?.body_text_named_params]
    })
  )
}

const fault = (member: string, issue: string | undefined): Fault =>
  issue === undefined ? undefined : at(member, issue)

const strangeExample = (example: object | undefined, known: ReadonlyArray<string>): Fault => {
  const strange = Object.keys(example ?? {}).find((member) => !known.includes(member))
  return strange === undefined
    ? undefined
    : { path: ["example", strange], issue: `nothing: here examples are ${known.join(" or ")}` }
}

interface Examples {
  readonly positional: readonly [member: string, values: ReadonlyArray<string> | undefined]
  readonly named: readonly [
    member: string,
    values: ReadonlyArray<{ readonly param_name: string; readonly example: string }> | undefined
  ]
}

/**
 * Returns the first fault of examples: named variables need exactly one example each; positional ones may have none,
 * but not too few or too many. M-TPL-05
 */
const examplesFault = (
  keys: ReadonlyArray<string>,
  format: ParameterFormat,
  { named: [namedMember, named], positional: [positionalMember, positional] }: Examples
): Fault => {
  if (format === "POSITIONAL") {
    if (named !== undefined) return { path: ["example", namedMember], issue: "nothing: the format is POSITIONAL" }
    return positional === undefined || positional.length === keys.length
      ? undefined
      : { path: ["example", positionalMember], issue: `one example for each of ${keys.length} variables` }
  }
  if (positional !== undefined) return { path: ["example", positionalMember], issue: "nothing: the format is NAMED" }
  const names = (named ?? []).map(({ param_name }) => param_name)
  return names.length === keys.length && keys.every((key) => names.includes(key))
    ? undefined
    : { path: ["example", namedMember], issue: "one example for each named variable" }
}

const buttonsFault = (buttons: ReadonlyArray<TemplateButton>, format: ParameterFormat): Fault => {
  if (buttons.length === 0) return at("buttons", "1 to 10 buttons")
  for (const [index, button] of buttons.entries()) {
    const found = strangeMember(button, buttonMembers[button.type]) ?? buttonFault(button, format)
    if (found !== undefined) return { ...found, path: ["buttons", index, ...found.path] }
  }
  return undefined
}

const buttonFault = (button: TemplateButton, format: ParameterFormat): Fault => {
  if (button.type === "COPY_CODE") {
    const code = [button.example ?? []].flat()[0]
    return code !== undefined && isCode(code) ? undefined : at("example", "a code of 1 to 15 characters")
  }
  if (button.type === "REQUEST_CONTACT_INFO" || button.type === "OTP") return undefined
  if (button.text === undefined) return at("text", "a label of 1 to 25 characters")
  const labelled = withoutVariables("text", button.text)
  if (labelled !== undefined) return labelled
  switch (button.type) {
    case "QUICK_REPLY":
      return undefined
    case "URL":
      return urlFault(button, format)
    case "PHONE_NUMBER":
      return button.phone_number === undefined ? at("phone_number", "a phone number") : undefined
    case "FLOW":
      return button.flow_id === undefined ? at("flow_id", "the id of a flow") : undefined
  }
}

const isCode = Schema.is(text(1, 15))

const urlFault = ({ example, url }: TemplateButton, format: ParameterFormat): Fault => {
  if (url === undefined) return at("url", "an address of 1 to 2000 characters")
  const variables = variablesIn(url)
  const [key] = variables.keys
  // The only variable of an address is the first one, whatever the texts' format.
  const written = key === "1" ? "POSITIONAL" : format
  if (variables.keys.length > 1 || variablesFault(variables, written) !== undefined) {
    return at("url", "at most one variable, at the end")
  }
  if (key !== undefined && !url.endsWith(`{{${key}}}`)) return at("url", "at most one variable, at the end")
  if (!isWebAddress(key === undefined ? url : url.slice(0, -`{{${key}}}`.length))) {
    return at("url", "an http or https address")
  }
  return key === undefined && example !== undefined ? at("example", "nothing: the address has no variable") : undefined
}

const isWebAddress = (url: string): boolean => /^https?:\/\/\S+$/u.test(url)
