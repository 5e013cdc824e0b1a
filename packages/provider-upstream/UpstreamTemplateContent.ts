import type { SubmittedTemplate, TemplateContent } from "@carteiro/provider/TemplateProvider.ts"
import { componentsFault } from "@carteiro/schema/templates/ComponentFaults.ts"
import {
  ComponentInput,
  storedComponents,
  type TemplateComponent
} from "@carteiro/schema/templates/TemplateComponents.ts"
import { variablesIn } from "@carteiro/schema/templates/TemplateVariables.ts"
import { Option, Schema } from "effect"
import { listOf, memberOf } from "./UpstreamAnswers.ts"
import { listedCodes } from "./UpstreamTemplateCodes.ts"
import { textOf } from "./webhook/UpstreamValues.ts"

const decode = Schema.decodeUnknownOption(Schema.Array(ComponentInput))

/**
 * Returns the content of a template in the platform's list; null without components, and for parts that the contract
 * does not have. An authentication template is read in its form, and one with a text of its own as any other.
 * U-TPL-04, U-TPL-08
 */
export const listedContent = (
  components: unknown,
  category: SubmittedTemplate["category"] | null = null
): TemplateContent | null => {
  if (!Array.isArray(components)) return null
  const codes = category === "authentication" ? listedCodes(components) : undefined
  const read = Option.map(decode(codes ?? components.map(componentOf)), storedComponents)
  if (Option.isNone(read)) return null
  const parameter_format = formatOf(read.value)
  return componentsFault(read.value, parameter_format) === undefined
    ? { components: read.value, parameter_format }
    : null
}

/** The format is told by the variables: the platform's list need not name it. */
const formatOf = (components: ReadonlyArray<TemplateComponent>): TemplateContent["parameter_format"] => {
  const keys = components.flatMap(({ text }) => variablesIn(text ?? "").keys)
  return keys.some(isName) ? "NAMED" : "POSITIONAL"
}

const isName = (key: string): boolean => !/^[0-9]+$/.test(key)

/** Returns the members of a component that the contract has. The example of a file is a link that expires. */
const componentOf = (component: unknown): object => {
  const type = word(component, "type")
  const text = textOf(memberOf(component, "text"))
  const shown = { type, ...(text !== null && { text }) }
  switch (type) {
    case "HEADER": {
      const format = word(component, "format") ?? "TEXT"
      if (format !== "TEXT") return { type, format }
      return { ...shown, format, ...exampleOf(component, "header_text", "header_text_named_params") }
    }
    case "BODY":
      return { ...shown, ...exampleOf(component, "body_text", "body_text_named_params") }
    case "BUTTONS":
      return { type, buttons: listOf(memberOf(component, "buttons")).map(buttonOf) }
    default:
      return shown
  }
}

/**
 * Returns the examples of a component's variables. A named variable needs one: without any, its name serves. Examples of
 * positions count when there is one for each.
 */
const exampleOf = (component: unknown, positional: string, named: string) => {
  const example = memberOf(component, "example")
  const keys = [...new Set(variablesIn(textOf(memberOf(component, "text")) ?? "").keys)]
  if (keys.length === 0) return undefined
  if (keys.some(isName)) {
    const known = listOf(memberOf(example, named))
    const exampleFor = (key: string) =>
      memberOf(
        known.find((one) => memberOf(one, "param_name") === key),
        "example"
      )
    return { example: { [named]: keys.map((key) => ({ param_name: key, example: textOf(exampleFor(key)) ?? key })) } }
  }
  const values = listOf(memberOf(example, positional)).flat()
  const shape = positional === "body_text" ? [values] : values
  return values.length === keys.length ? { example: { [positional]: shape } } : undefined
}

/** The members of each button that the contract has; the platform writes labels of its own on the others. */
const buttonMembers: Readonly<Record<string, ReadonlyArray<string>>> = {
  QUICK_REPLY: ["text"],
  URL: ["text", "url", "example"],
  PHONE_NUMBER: ["text", "phone_number"],
  COPY_CODE: ["example"],
  FLOW: ["text", "flow_id"],
  REQUEST_CONTACT_INFO: []
}

const buttonOf = (button: unknown): object => {
  const type = word(button, "type")
  const isFixed = type === "URL" && !(textOf(memberOf(button, "url")) ?? "").includes("{{")
  const members = (buttonMembers[type ?? ""] ?? []).flatMap((name) => {
    const value = memberOf(button, name)
    if (value === undefined || value === null || (isFixed && name === "example")) return []
    return [[name, typeof value === "number" ? String(value) : value] as const]
  })
  return { type, ...Object.fromEntries(members) }
}

const word = (part: unknown, member: string): string | undefined => textOf(memberOf(part, member))?.toUpperCase()
