import type { TemplateButton, TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"

/**
 * True when two templates show customers equal content. Examples, and payloads of quick replies, are for reviewers and
 * for the product alone. U-TPL-08
 */
export const isSameContent = (
  one: ReadonlyArray<TemplateComponent>,
  other: ReadonlyArray<TemplateComponent>
): boolean => shownText(one) === shownText(other)

const shownText = (components: ReadonlyArray<TemplateComponent>): string =>
  JSON.stringify(
    components
      .map(({ buttons, format, text, type }) => [type, format ?? null, text ?? null, buttons?.map(shownButton) ?? null])
      .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1))
  )

const shownButton = ({ flow_id, phone_number, text, type, url }: TemplateButton) => [
  type,
  text ?? null,
  url ?? null,
  phone_number?.replace("+", "") ?? null,
  flow_id ?? null
]
