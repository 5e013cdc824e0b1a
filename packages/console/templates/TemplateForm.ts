import { bodyDecoder, isRefusal } from "@carteiro/http-edge/Decoding.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { CreateTemplate, type Template, TemplateCategory } from "@carteiro/schema/templates/Template.ts"
import type { TemplateButton, TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import { InvalidTemplateRequest } from "@carteiro/schema/templates/TemplateErrors.ts"
import { variablesIn } from "@carteiro/schema/templates/TemplateVariables.ts"
import { Result } from "effect"
import { field, type Refused } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { refusalText } from "../kit/RefusalTexts.ts"

/** Places of buttons: as many as the API takes. */
const buttonPlaces = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const

/** Kinds of buttons that the editor writes, each with the field that says what a tap does; one that has none needs no words. */
export const buttonTargets = {
  QUICK_REPLY: "payload",
  URL: "url",
  PHONE_NUMBER: "phone",
  COPY_CODE: "code",
  FLOW: "flow",
  REQUEST_CONTACT_INFO: undefined
} as const satisfies Partial<Record<TemplateButton["type"], string | undefined>>

const isWritten = (kind: string): kind is keyof typeof buttonTargets => Object.hasOwn(buttonTargets, kind)

/** Kinds of headers that the editor writes; a text that is empty is none. */
export const headerKinds = ["TEXT", "IMAGE", "VIDEO", "DOCUMENT"] as const

/** A button as it was typed; one without a kind is none. */
interface TypedButton {
  readonly kind: string
  readonly text: string
  readonly target: string
}

/** A template as it was typed. */
export interface TypedTemplate {
  readonly name: string
  readonly language: string
  readonly category: string
  readonly headerKind: string
  readonly header: string
  /** Id, or the platform's handle, of the file that the review of a media header sees. */
  readonly headerFile: string
  readonly body: string
  readonly footer: string
  readonly buttons: ReadonlyArray<TypedButton>
  /** Example values by variable. */
  readonly examples: ReadonlyMap<string, string>
}

/** The part of a template that a refusal is about; `form` stands for all of it. */
export type TemplateField =
  | "name"
  | "language"
  | "category"
  | "header"
  | "body"
  | "footer"
  | "buttons"
  | "examples"
  | "form"

const none: TypedButton = { kind: "", text: "", target: "" }

/** The form before anything was typed. */
export const newTemplate: TypedTemplate = {
  name: "",
  language: "pt_BR",
  category: "utility",
  headerKind: "TEXT",
  header: "",
  headerFile: "",
  body: "",
  footer: "",
  buttons: buttonPlaces.map(() => none),
  examples: new Map()
}

/** Browsers send line ends as CR LF. */
const lines = (text: string): string => text.replaceAll("\r\n", "\n")

/** Returns words as names are written, "promocao_de_natal" for "Promoção de Natal!". */
const nameOf = (typed: string): string =>
  typed
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/^[^a-z0-9_]+|[^a-z0-9_]+$/gu, "")
    .replaceAll(/[^a-z0-9_]+/gu, "_")

/** Returns a text with its variables as templates have them, `{{valor_da_parcela}}` for `{{Valor da parcela}}`. */
const withNames = (typed: string): string =>
  typed.replaceAll(/\{\{([^{}]*)\}\}/gu, (variable, key: string) =>
    nameOf(key) === "" ? variable : `{{${nameOf(key)}}}`
  )

export const typedTemplate = (sent: URLSearchParams): TypedTemplate => ({
  name: nameOf(field(sent, "name")),
  language: field(sent, "language").trim(),
  category: field(sent, "category"),
  headerKind: field(sent, "header_kind") || "TEXT",
  header: withNames(field(sent, "header").trim()),
  headerFile: field(sent, "header_file").trim(),
  body: withNames(lines(field(sent, "body")).trim()),
  footer: field(sent, "footer").trim(),
  buttons: buttonPlaces.map((place) => {
    const kind = field(sent, `button_${place}_kind`)
    const target = isWritten(kind) ? buttonTargets[kind] : undefined
    return {
      kind,
      text: field(sent, `button_${place}_text`).trim(),
      target: target === undefined ? "" : field(sent, `button_${place}_${target}`).trim()
    }
  }),
  examples: new Map(
    [...sent.keys()]
      .filter((name) => name.startsWith("example_"))
      .map((name) => [name.slice("example_".length), field(sent, name).trim()])
  )
})

/** Returns the variables of a typed template in their order, each once. */
export const variablesOf = (typed: Pick<TypedTemplate, "body" | "header" | "headerKind">): ReadonlyArray<string> => [
  ...new Set([...variablesIn(headerText(typed)).keys, ...variablesIn(typed.body).keys])
]

const headerText = ({ header, headerKind }: Pick<TypedTemplate, "header" | "headerKind">): string =>
  headerKind === "TEXT" ? header : ""

/** The parts of an authentication template of the editor: its texts are the provider's. */
const authenticationParts: ReadonlyArray<TemplateComponent> = [
  { type: "BODY", add_security_recommendation: true },
  { type: "FOOTER", code_expiration_minutes: 10 },
  { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE" }] }
]

/** Returns the parts of a typed template. */
export const componentsOf = (typed: TypedTemplate): ReadonlyArray<TemplateComponent> => {
  const { body, buttons, category, footer } = typed
  const header = headerPart(typed)
  const made = buttons.filter(({ kind }) => kind !== "").map(buttonOf)
  const isEmpty = body === "" && footer === "" && header === undefined && made.length === 0
  if (category === "authentication" && isEmpty) return authenticationParts
  return [
    ...(header === undefined ? [] : [header]),
    { type: "BODY", ...(body !== "" && { text: body }), ...exampleOf(typed, "body") },
    ...(footer === "" ? [] : [{ type: "FOOTER", text: footer } as const]),
    ...(made.length === 0 ? [] : [{ type: "BUTTONS", buttons: made } as const])
  ]
}

/** Returns the header: a text, or a kind of file with the one that the review sees. */
const headerPart = (typed: TypedTemplate): TemplateComponent | undefined => {
  const { header, headerFile, headerKind } = typed
  const format = headerKinds.find((one) => one === headerKind) ?? "TEXT"
  if (format !== "TEXT") {
    return { type: "HEADER", format, ...(headerFile !== "" && { example: { header_handle: headerFile } }) }
  }
  return header === "" ? undefined : { type: "HEADER", format, text: header, ...exampleOf(typed, "header") }
}

const buttonOf = ({ kind, target, text }: TypedButton): TemplateButton => {
  const label = text === "" ? {} : { text }
  const value = target === "" ? undefined : target
  switch (kind) {
    case "URL":
      return {
        type: "URL",
        ...label,
        ...(value && { url: value }),
        ...(value?.includes("{{") && { example: value.replace(/\{\{[^{}]*\}\}/, "1") })
      }
    case "PHONE_NUMBER":
      return { type: "PHONE_NUMBER", ...label, ...(value && { phone_number: value }) }
    case "COPY_CODE":
      return { type: "COPY_CODE", ...(value && { example: value }) }
    case "FLOW":
      return { type: "FLOW", ...label, ...(value && { flow_id: value }) }
    case "REQUEST_CONTACT_INFO":
      return { type: "REQUEST_CONTACT_INFO" }
    default:
      return { type: kind as "QUICK_REPLY", ...label, ...(value && { payload: value }) }
  }
}

/** Variables with a name need the format for them. */
const formatOf = (typed: TypedTemplate): "NAMED" | "POSITIONAL" =>
  variablesOf(typed).some((key) => /^[a-z]/.test(key)) ? "NAMED" : "POSITIONAL"

const exampleOf = (typed: TypedTemplate, part: "header" | "body"): Pick<TemplateComponent, "example"> => {
  const keys = [...new Set(variablesIn(part === "header" ? headerText(typed) : typed.body).keys)]
  const given = keys.filter((key) => typed.examples.get(key))
  if (given.length === 0) return {}
  if (formatOf(typed) === "NAMED") {
    const named = given.map((key) => ({ param_name: key, example: typed.examples.get(key) ?? "" }))
    return { example: part === "header" ? { header_text_named_params: named } : { body_text_named_params: named } }
  }
  const values = given.toSorted((one, other) => Number(one) - Number(other)).map((key) => typed.examples.get(key) ?? "")
  return { example: part === "header" ? { header_text: values } : { body_text: [values] } }
}

const decode = bodyDecoder(CreateTemplate, { code: InvalidTemplateRequest.code, strict: true })

/** Returns the body that a request of the API would carry, or the refusal that the route answers. */
export const templateBody = (typed: TypedTemplate): Result.Result<CreateTemplate, ApiError> => {
  const { category, language, name } = typed
  const body = decode({ name, language, category, parameter_format: formatOf(typed), components: componentsOf(typed) })
  return isRefusal(body) ? Result.fail(body) : Result.succeed(body as CreateTemplate)
}

/** Returns the part of the form that a refusal of the API is about. */
export const refusedPart = (typed: TypedTemplate, refusal: ApiError): Refused<TemplateField> => {
  const message = refusalText(refusal, true)
  const path = (refusal.param ?? "").split(/[.[\]]+/u)
  const [member, index] = path
  if (member === "name" || member === "language" || member === "category") return { field: member, error: message }
  const part = member === "components" ? componentsOf(typed)[Number(index)]?.type : undefined
  if (part === undefined) {
    return member === "components" ? { field: "body", error: message } : { field: "form", error: refusalText(refusal) }
  }
  const isExample = path.includes("example") && part !== "BUTTONS"
  return isExample
    ? { field: "examples", error: missingExamples(typed) ?? message }
    : { field: parts[part], error: message }
}

/** Returns which variables have no example yet, as they stand in the text; undefined where each has one. */
const missingExamples = (typed: TypedTemplate): Html | undefined => {
  const names = variablesOf(typed).filter((key) => !typed.examples.get(key))
  return names.length === 0
    ? undefined
    : html`Write an example for the review: ${names.map((key) => html`<code>${`{{${key}}}`}</code> `)}`
}

const parts = { HEADER: "header", BODY: "body", FOOTER: "footer", BUTTONS: "buttons" } as const

/** Returns a template as it would have been typed; undefined for one that has parts the editor does not write. */
export const typedOf = ({ category, components, language, name }: Template): TypedTemplate | undefined => {
  const of = (type: TemplateComponent["type"]) => components.find((component) => component.type === type)
  const header = of("HEADER")
  const buttons = of("BUTTONS")?.buttons ?? []
  if (JSON.stringify(components) === JSON.stringify(authenticationParts)) {
    return { ...newTemplate, name, language, category }
  }
  if (buttons.length > buttonPlaces.length) return undefined
  if (!buttons.every(({ type }) => isWritten(type))) return undefined
  return {
    name,
    language,
    category,
    headerKind: header?.format ?? "TEXT",
    header: header?.text ?? "",
    headerFile: [header?.example?.header_handle ?? ""].flat()[0] ?? "",
    body: of("BODY")?.text ?? "",
    footer: of("FOOTER")?.text ?? "",
    buttons: buttonPlaces.map((place) => {
      const button = buttons[place]
      if (button === undefined) return none
      const target =
        button.url ?? button.phone_number ?? button.flow_id ?? button.payload ?? [button.example].flat()[0] ?? ""
      return { kind: button.type, text: button.text ?? "", target }
    }),
    examples: new Map(
      [header, of("BODY")].flatMap((component) => (component === undefined ? [] : examplesOf(component)))
    )
  }
}

/** Returns the example values of a part by variable. */
export const examplesOf = ({ example, text = "" }: TemplateComponent): ReadonlyArray<readonly [string, string]> => {
  const named = example?.header_text_named_params ?? example?.body_text_named_params
  if (named !== undefined) return named.map(({ example, param_name }) => [param_name, example] as const)
  const values = [example?.header_text ?? example?.body_text ?? []].flat(2)
  const keys = [...new Set(variablesIn(text).keys)].toSorted((one, other) => Number(one) - Number(other))
  return keys.flatMap((key, index) => (values[index] === undefined ? [] : [[key, values[index]] as const]))
}

export const categories = TemplateCategory.literals
