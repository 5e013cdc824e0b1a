import { bodyVariables } from "@carteiro/schema/templates/AuthenticationForm.ts"
import type { TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import type { SendableTemplate } from "@carteiro/schema/templates/TemplateLookupsApi.ts"
import { variablesIn } from "@carteiro/schema/templates/TemplateVariables.ts"
import { field } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { say } from "../kit/Language.ts"
import { input } from "../kit/Parts.ts"
import type { PreviewValues } from "../kit/PhonePreview.ts"
import { examplesOf } from "./TemplateForm.ts"

/** A template with the version that sends use. */
export type ChosenTemplate = Pick<SendableTemplate, "name" | "language" | "components">

/** The values that a form sends a template with: of its text by variable, of its header, and of its buttons by place. */
export interface SendValues {
  readonly body: Readonly<Record<string, string>>
  readonly header: string
  readonly buttons: Readonly<Record<number, string>>
}

const partOf = (components: ReadonlyArray<TemplateComponent>, type: TemplateComponent["type"]) =>
  components.find((component) => component.type === type)

/** Returns the kind of file that a send of the template brings for its header; undefined for one without such a header. */
export const headerMediaOf = (
  components: ReadonlyArray<TemplateComponent>
): "image" | "video" | "document" | undefined => {
  const format = partOf(components, "HEADER")?.format
  return format == null ? undefined : mediaKinds[format]
}

const mediaKinds = { TEXT: undefined, IMAGE: "image", VIDEO: "video", DOCUMENT: "document" } as const

const headerVariable = (components: ReadonlyArray<TemplateComponent>): string | undefined =>
  variablesIn(partOf(components, "HEADER")?.text ?? "").keys[0]

/** Returns the places of the buttons that take a value: a variable address, or a coupon to copy. */
const buttonsWithValue = (components: ReadonlyArray<TemplateComponent>) =>
  (partOf(components, "BUTTONS")?.buttons ?? []).flatMap(({ text, type, url }, index) =>
    (type === "URL" && url?.includes("{{")) || type === "COPY_CODE"
      ? [{ index, type, label: text ?? (type === "COPY_CODE" ? say("Copy the code") : "") }]
      : []
  )

/** Returns a look at a template with the values that its review saw. */
export const exampleLook = (components: ReadonlyArray<TemplateComponent>): PreviewValues => {
  const valuesOf = (type: TemplateComponent["type"]) => {
    const part = partOf(components, type)
    return part === undefined ? {} : Object.fromEntries(examplesOf(part))
  }
  return { header: valuesOf("HEADER"), body: valuesOf("BODY") }
}

/** Returns the values that the review of a template saw, for a test of it: a customer gets none of them. */
export const exampleSend = ({ components }: ChosenTemplate): SendValues => {
  const { body, header } = exampleLook(components)
  return {
    body: Object.fromEntries(bodyVariables(components).map((key) => [key, body[key] ?? ""])),
    header: header[headerVariable(components) ?? ""] ?? "",
    buttons: {}
  }
}

/** Returns the values of a sent form. */
export const typedValues = (sent: URLSearchParams, { components }: ChosenTemplate): SendValues => ({
  body: Object.fromEntries(bodyVariables(components).map((key) => [key, field(sent, `value_${key}`)])),
  header: field(sent, "value_header").trim(),
  buttons: Object.fromEntries(
    buttonsWithValue(components).map(({ index }) => [index, field(sent, `value_button_${index}`)])
  )
})

/** Returns a field for each value that a send of the template takes; examples stand only behind what is typed. */
export const valueFields = ({ components }: ChosenTemplate, typed?: SendValues): Html => {
  const examples = exampleLook(components)
  const media = headerMediaOf(components)
  const variable = headerVariable(components)
  return html`${bodyVariables(components).map((key) =>
    input({
      name: `value_${key}`,
      label: html`Value of {{${key}}}`,
      value: typed?.body[key] ?? "",
      placeholder: examples.body[key],
      maxLength: 1024,
      required: true
    })
  )}${
    media &&
    input({
      name: "value_header",
      label: "File of the header",
      value: typed?.header ?? "",
      hint: say("Id of a file of your media library, or an https address."),
      maxLength: 2048,
      plain: true,
      required: true
    })
  }${variable !== undefined && input({ name: "value_header", label: html`Header: value of {{${variable}}}`, value: typed?.header ?? "", placeholder: examples.header[variable], maxLength: 60, required: true })}${buttonsWithValue(
    components
  ).map(({ index, label, type }) =>
    input({
      name: `value_button_${index}`,
      label: type === "URL" ? html`Button ${label}: end of its address` : html`Button ${label}: code that it copies`,
      value: typed?.buttons[index] ?? "",
      maxLength: 2000,
      plain: true
    })
  )}`
}

/** Returns the content that sends a template with these values, as the API takes it. */
export const templateContent = ({ components, language, name }: ChosenTemplate, values: SendValues) => {
  const media = headerMediaOf(components)
  const variable = headerVariable(components)
  const source = values.header.startsWith("mda_") ? { asset_id: values.header } : { link: values.header }
  const isNamed = variable !== undefined && /^[a-z]/.test(variable)
  const parts = [
    ...(variable === undefined
      ? []
      : [
          {
            type: "header",
            parameters: [{ type: "text", ...(isNamed && { parameter_name: variable }), text: values.header }]
          }
        ]),
    ...buttonsWithValue(components).map(({ index, type }) => ({
      type: "button",
      sub_type: type === "URL" ? "url" : "copy_code",
      index,
      parameters: [
        type === "URL"
          ? { type: "text", text: values.buttons[index] ?? "" }
          : { type: "coupon_code", coupon_code: values.buttons[index] ?? "" }
      ]
    }))
  ]
  return {
    type: "template",
    template: {
      name,
      language,
      ...(Object.keys(values.body).length > 0 && { variables: values.body }),
      ...(parts.length > 0 && { components: parts }),
      ...(media !== undefined && { header_media: { kind: media, ...source } })
    }
  }
}

/** Returns the values by variable, for a look at the message. */
export const shownValues = ({ components }: ChosenTemplate, { body, header }: SendValues): PreviewValues => {
  const variable = headerVariable(components)
  return { body, header: variable === undefined ? {} : { [variable]: header } }
}

/** Returns templates in their order, those of one-time codes last: a person who writes to customers seldom means them. */
export const codesLast = (templates: ReadonlyArray<SendableTemplate>): ReadonlyArray<SendableTemplate> =>
  templates.toSorted((one, other) => Number(isOfCodes(one)) - Number(isOfCodes(other)))

const isOfCodes = ({ category }: SendableTemplate): boolean => category === "authentication"
