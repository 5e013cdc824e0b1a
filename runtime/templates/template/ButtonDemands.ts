import { codeVariable } from "@carteiro/schema/templates/AuthenticationForm.ts"
import type { TemplateButton, TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import { variablesIn } from "@carteiro/schema/templates/TemplateVariables.ts"

/** A button that the product fills by itself in a send: with what the template declares, or with the code of the body. */
export type FilledButton =
  | { readonly index: number; readonly sub_type: "quick_reply"; readonly payload: string }
  /** `flow_id` is ours; null for a flow that only the provider knows. */
  | { readonly index: number; readonly sub_type: "flow"; readonly flow_id: string | null }
  /** Hands over the code of an authentication template: in an address, or for the customer to copy. */
  | { readonly index: number; readonly sub_type: "url" | "copy_code"; readonly code: string }

/** What the buttons of a version require of a send. */
export interface ButtonDemands {
  /** The indexes of the buttons whose address ends in a variable. */
  readonly buttons: ReadonlyArray<number>
  /** The indexes of the buttons that copy a coupon. */
  readonly coupons: ReadonlyArray<number>
  /** The buttons that need nothing of the caller. */
  readonly filled: ReadonlyArray<FilledButton>
}

/**
 * Returns what the buttons of a version require of a send. The coupon of an authentication template with its own text,
 * which earlier releases accepted, is the code of its body. U-SND-04, U-TPL-04
 */
export const buttonDemands = (
  components: ReadonlyArray<TemplateComponent>,
  body: ReadonlyArray<string>,
  isAuthentication: boolean
): ButtonDemands => {
  const buttons = components.find(({ type }) => type === "BUTTONS")?.buttons ?? []
  const hasCode = isAuthentication && body.includes(codeVariable)
  const indexesOf = (isWanted: (button: TemplateButton) => boolean) =>
    buttons.flatMap((button, index) => (isWanted(button) ? [index] : []))
  return {
    buttons: indexesOf(({ type, url = "" }) => type === "URL" && variablesIn(url).keys.length > 0),
    coupons: indexesOf(({ type }) => type === "COPY_CODE" && !isAuthentication),
    filled: buttons.flatMap((button, index) => filledButton(button, index, hasCode) ?? [])
  }
}

const filledButton = (
  { flow_id, payload, type }: TemplateButton,
  index: number,
  hasCode: boolean
): FilledButton | undefined => {
  switch (type) {
    case "QUICK_REPLY":
      return payload === undefined ? undefined : { index, sub_type: "quick_reply", payload }
    case "FLOW":
      return { index, sub_type: "flow", flow_id: flow_id?.startsWith("flw_") === true ? flow_id : null }
    case "OTP":
      return { index, sub_type: "url", code: codeVariable }
    case "COPY_CODE":
      return hasCode ? { index, sub_type: "copy_code", code: codeVariable } : undefined
    default:
      return undefined
  }
}
