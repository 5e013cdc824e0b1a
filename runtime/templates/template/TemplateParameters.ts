import { bodyVariables } from "@carteiro/schema/templates/AuthenticationForm.ts"
import type { HeaderFormat, TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import { type ParameterFormat, variablesIn } from "@carteiro/schema/templates/TemplateVariables.ts"
import { Result } from "effect"
import { type ButtonDemands, buttonDemands, type FilledButton } from "./ButtonDemands.ts"

/** The version that a send uses, with the parts on which its parameters depend. */
export interface SentTemplate {
  readonly category?: "marketing" | "utility" | "authentication"
  readonly parameter_format: ParameterFormat
  readonly components: ReadonlyArray<TemplateComponent>
}

/** The parameters that a version requires of a send. */
export interface TemplateNeeds extends ButtonDemands {
  readonly parameter_format: ParameterFormat
  /** The keys of the variables of the body, each once. */
  readonly body: ReadonlyArray<string>
  /** The key of the variable of a text header. */
  readonly header: string | undefined
  /** The kind of file that a media header needs. */
  readonly media: Lowercase<Exclude<HeaderFormat, "TEXT">> | undefined
}

/** The parameters of a send; null counts as absent. M-MSG-28..32 */
export interface SentParameters {
  readonly variables?: Readonly<Record<string, string>> | null | undefined
  readonly components?: ReadonlyArray<SentComponent> | null | undefined
  readonly header_media?: { readonly kind: string } | null | undefined
}

/** The sent parameters of a header or a button. M-MSG-31 */
export interface SentComponent {
  readonly type: string
  readonly sub_type?: string | null | undefined
  readonly index?: number | string | null | undefined
  readonly parameters?: ReadonlyArray<SentParameter> | null | undefined
}

interface SentParameter {
  readonly type?: string | undefined
  readonly parameter_name?: string | null | undefined
  readonly text?: string | null | undefined
  readonly coupon_code?: string | null | undefined
}

/**
 * The values of a send by their place; the content hash and the provider's call are made of them. gaps-2 C "Content
 * hash"
 */
export interface TemplateParameters {
  /** By key, in the order of the template. */
  readonly body: Readonly<Record<string, string>>
  readonly header: Readonly<Record<string, string>>
  /** By index of the button, ascending: the end of an address, or a coupon. */
  readonly buttons: ReadonlyArray<readonly [index: number, value: string]>
  /** The buttons that the product fills. U-SND-04 */
  readonly filled: ReadonlyArray<FilledButton>
}

/** The wrong group of parameters, by its name in `message.template`. M-MSG-35..37 */
export interface ParameterMismatch {
  readonly param: "variables" | "components" | "header_media"
  readonly message: string
  /** The path below the group of one wrong value, beginning with a full stop; absent where the whole group is wrong. */
  readonly value?: string
}

/** Returns the parameters that a version requires; computed once for all sends of it. */
export const templateNeeds = ({ category, components, parameter_format }: SentTemplate): TemplateNeeds => {
  const find = (type: TemplateComponent["type"]) => components.find((component) => component.type === type)
  const header = find("HEADER")
  const isText = header?.format === "TEXT"
  const body = bodyVariables(components)
  return {
    parameter_format,
    body,
    header: isText ? variablesIn(header.text ?? "").keys[0] : undefined,
    ...buttonDemands(components, body, category === "authentication"),
    media:
      header === undefined || isText ? undefined : (header.format?.toLowerCase() as NonNullable<TemplateNeeds["media"]>)
  }
}

/**
 * Checks the parameters of a send against the requirements of its version: values of the body come only from
 * `variables`, those of a text header and of addresses only from `components`, the file only from `header_media`; none
 * may be missing, superfluous or empty. Returns the first wrong group. M-MSG-29, M-MSG-30, M-MSG-33..37, gaps-2 B
 * "Template parameter check details"
 */
export const checkTemplateParameters = (
  needs: TemplateNeeds,
  sent: SentParameters
): Result.Result<TemplateParameters, ParameterMismatch> => {
  const body = bodyValues(needs, sent.variables ?? {})
  if (body === undefined) return Result.fail({ param: "variables", message: variablesExpected(needs) })
  const spaced = Object.keys(body).find((key) => isSpaced(body[key]))
  if (spaced !== undefined) return Result.fail({ param: "variables", message: spacedValue, value: `.${spaced}` })
  const placed = placedValues(needs, sent.components ?? [])
  if (placed === undefined) return Result.fail({ param: "components", message: componentsExpected(needs) })
  const spacedAt = (sent.components ?? []).findIndex(({ parameters }) => isSpaced(parameters?.[0]?.text))
  if (spacedAt >= 0) {
    return Result.fail({ param: "components", message: spacedValue, value: `.${spacedAt}.parameters.0.text` })
  }
  if (needs.media !== (sent.header_media ?? undefined)?.kind) {
    return Result.fail({ param: "header_media", message: mediaExpected(needs) })
  }
  return Result.succeed({ body, ...placed, filled: needs.filled })
}

const bodyValues = ({ body }: TemplateNeeds, variables: Readonly<Record<string, string>>) => {
  const given = Object.keys(variables)
  const exact = given.length === body.length && body.every((key) => Object.hasOwn(variables, key))
  if (!exact || given.some((key) => !isValue(variables[key]))) return undefined
  return Object.fromEntries(body.map((key) => [key, variables[key] as string]))
}

const isValue = (value: unknown): value is string => typeof value === "string" && value !== ""

/** True for a value that the chat platform refuses. U-SND-05 */
const isSpaced = (value: string | null | undefined): boolean => /[\n\r\t]| {5}/.test(value ?? "")

const spacedValue =
  "A value of a template has no line break, no tab and at most four blanks in a row; write it in one line."

type Placed = Pick<TemplateParameters, "header" | "buttons">

const placedValues = (needs: TemplateNeeds, components: ReadonlyArray<SentComponent>): Placed | undefined => {
  const header = new Map<string, string>()
  const buttons = new Map<number, string>()
  for (const component of components) {
    const parameters = component.parameters ?? []
    const [parameter] = parameters
    if (parameter === undefined || parameters.length > 1) return undefined
    const value = sentValue(component, parameter)
    if (!isValue(value)) return undefined
    if (component.type === "header") {
      if (needs.header === undefined || header.size > 0 || !isNamedFor(needs, parameter)) return undefined
      header.set(needs.header, value)
    } else {
      const index = buttonIndex(component)
      const wanted = component.sub_type === "copy_code" ? needs.coupons : needs.buttons
      if (index === undefined || !wanted.includes(index) || buttons.has(index)) return undefined
      buttons.set(index, value)
    }
  }
  const isHeaded = header.size === (needs.header === undefined ? 0 : 1)
  const complete = isHeaded && buttons.size === needs.buttons.length + needs.coupons.length
  if (!complete) return undefined
  return { header: Object.fromEntries(header), buttons: [...buttons].sort(([a], [b]) => a - b) }
}

/** Returns the coupon of a button that copies one, and the text of any other component. */
const sentValue = ({ sub_type, type }: SentComponent, { coupon_code, text }: SentParameter) =>
  type === "button" && sub_type === "copy_code" ? coupon_code : text

/** True when `parameter_name` is present for a NAMED header, or absent for a POSITIONAL one. */
const isNamedFor = ({ header, parameter_format }: TemplateNeeds, { parameter_name }: SentParameter): boolean =>
  (parameter_name ?? undefined) === (parameter_format === "NAMED" ? header : undefined)

/** Returns an integer from 0 to 9, which may also be one digit of text. */
const buttonIndex = ({ index, sub_type, type }: SentComponent): number | undefined => {
  if (type !== "button" || (sub_type !== "url" && sub_type !== "copy_code")) return undefined
  const written = typeof index === "number" ? String(index) : index
  return typeof written === "string" && /^[0-9]$/.test(written) ? Number(written) : undefined
}

const variablesExpected = ({ body }: TemplateNeeds): string =>
  body.length === 0
    ? "The body of this template has no variables; leave message.template.variables out."
    : `The body of this template needs exactly these variables, none empty: ${body.join(", ")}.`

const componentsExpected = ({ buttons, coupons, header }: TemplateNeeds): string => {
  const parts = [
    ...(header === undefined ? [] : [`one header with one text parameter for ${header}`]),
    ...buttons.map((index) => `one button of sub_type url with index ${index} and one text parameter`),
    ...coupons.map((index) => `one button of sub_type copy_code with index ${index} and one coupon_code parameter`)
  ]
  return parts.length === 0
    ? "Neither header nor buttons of this template take parameters; leave message.template.components out."
    : `This template needs exactly these components: ${parts.join("; ")}.`
}

const mediaExpected = ({ media }: TemplateNeeds): string =>
  media === undefined
    ? "This template has no media header; leave message.template.header_media out."
    : `This template needs header_media of kind ${media}.`
