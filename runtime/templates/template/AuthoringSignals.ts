import type { AuthoringSignal } from "@carteiro/schema/templates/Template.ts"
import type { TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import { variablesIn } from "@carteiro/schema/templates/TemplateVariables.ts"
import type { TemplateContent } from "./TemplateState.ts"

/** The fewest words beside each variable that reviewers expect. */
const wordsAVariable = 3

const promotional =
  /(?<![\p{L}\d])(?:desconto|promo[cç][aã]o|oferta|gr[aá]tis|cupom|imperd[ií]vel|liquida[cç][aã]o|sale|discount|free|offer|coupon|promo|descuento|gratis)(?![\p{L}\d])/iu

const shortLink = /\b(?:bit\.ly|tinyurl\.com|goo\.gl|ow\.ly|is\.gd|cutt\.ly|rebrand\.ly|t\.co)\//i

/**
 * Returns the traits that reviewers tend to refuse, in the order of the components; they never block. M-TPL-10, gaps-2
 * G "authoring_signals"
 */
export const authoringSignals = ({
  category,
  components
}: Pick<TemplateContent, "category" | "components">): ReadonlyArray<AuthoringSignal> =>
  components.flatMap((component) => [
    ...variableAtEdge(component),
    ...tooManyVariables(component),
    ...(category === "marketing" ? [] : promotionalWording(component)),
    ...shortLinks(component)
  ])

const signal = (
  component: TemplateComponent,
  code: string,
  severity: AuthoringSignal["severity"],
  message: string
): ReadonlyArray<AuthoringSignal> => [{ code, severity, component: component.type, message }]

const hasVariables = ({ type }: TemplateComponent): boolean => type === "BODY" || type === "HEADER"

const variableAtEdge = (component: TemplateComponent) => {
  const text = component.text?.trim() ?? ""
  return hasVariables(component) && (/^\{\{[^{}]+\}\}/.test(text) || /\{\{[^{}]+\}\}$/.test(text))
    ? signal(component, "variable_at_edge", "warning", "Put words before the first and after the last variable.")
    : []
}

const tooManyVariables = (component: TemplateComponent) => {
  const text = component.text ?? ""
  const variables = variablesIn(text).keys.length
  const words = text.replaceAll(/\{\{[^{}]*\}\}/g, " ").match(/[\p{L}\d][\p{L}\d'-]*/gu)?.length ?? 0
  return component.type === "BODY" && variables > 0 && words < variables * wordsAVariable
    ? signal(component, "too_many_variables", "warning", "Write more words for so many variables, or fewer variables.")
    : []
}

const promotionalWording = (component: TemplateComponent) => {
  const labels = component.buttons?.map(({ text = "" }) => text) ?? []
  return [component.text ?? "", ...labels].some((text) => promotional.test(text))
    ? signal(component, "promotional_wording", "warning", "This reads as marketing; take the category marketing.")
    : []
}

const shortLinks = (component: TemplateComponent) => {
  const addresses = component.buttons?.map(({ url = "" }) => url) ?? []
  return [component.text ?? "", ...addresses].some((text) => shortLink.test(text))
    ? signal(component, "short_link", "warning", "Write the whole address; reviewers refuse shortened links.")
    : []
}
