import type { TemplateButton, TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"

/**
 * True when two templates show customers equal content. Examples, and payloads of quick replies, are for reviewers and
 * for the product alone. A label that one of two OTP buttons leaves out is the platform's own. U-TPL-04, U-TPL-08
 */
export const isSameContent = (
  one: ReadonlyArray<TemplateComponent>,
  other: ReadonlyArray<TemplateComponent>
): boolean => {
  const labels = { text: isLabelled(one, other, "text"), autofill_text: isLabelled(one, other, "autofill_text") }
  return shownText(one, labels) === shownText(other, labels)
}

type Labels = Readonly<Record<"text" | "autofill_text", boolean>>

/** True unless an OTP button of one of them leaves that label out. */
const isLabelled = (
  one: ReadonlyArray<TemplateComponent>,
  other: ReadonlyArray<TemplateComponent>,
  label: keyof Labels
): boolean =>
  [...one, ...other].every(({ buttons = [] }) => buttons.every((button) => button.type !== "OTP" || button[label]))

const shownText = (components: ReadonlyArray<TemplateComponent>, labels: Labels): string =>
  JSON.stringify(
    components
      .map(({ add_security_recommendation, buttons, code_expiration_minutes, format, text, type }) => [
        type,
        format ?? null,
        text ?? null,
        add_security_recommendation ?? false,
        code_expiration_minutes ?? null,
        buttons?.map((button) => shownButton(button, labels)) ?? null
      ])
      .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1))
  )

const shownButton = (
  { autofill_text, flow_id, otp_type, package_name, phone_number, signature_hash, text, type, url }: TemplateButton,
  labels: Labels
) => [
  type,
  (type !== "OTP" || labels.text ? text : undefined) ?? null,
  otp_type ?? null,
  (labels.autofill_text ? autofill_text : undefined) ?? null,
  package_name ?? null,
  signature_hash ?? null,
  url ?? null,
  phone_number?.replace("+", "") ?? null,
  flow_id ?? null
]
