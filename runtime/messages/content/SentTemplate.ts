import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { OutboundContent } from "@carteiro/schema/messages/content/OutboundContent.ts"
import {
  TemplateNotApproved,
  TemplateNotFound,
  TemplateParamMismatch
} from "@carteiro/schema/templates/TemplateErrors.ts"
import { Result } from "effect"
import type { FilledButton, TemplateParameters } from "../../templates/Templates.ts"
import type { KnownTemplate } from "../facts/SendingFacts.ts"
import type { StoredComponent } from "../message/StoredContent.ts"

/** The template of a send, in the form of its content. */
type TemplateMessage = Extract<OutboundContent, { readonly type: "template" }>["template"]

/** The parts of an approved version that are frozen with a message. M-MSG-11, M-MSG-12, gaps-2 B "Template resolution" */
export interface FrozenTemplate {
  /** The version of the row that was read. */
  readonly template_row_version: string
  readonly template_name: string
  readonly template_id: string
  readonly template_version_id: string
  readonly template_version: number
  readonly template_category: "marketing" | "utility" | "authentication"
  readonly parameters: TemplateParameters
}

/**
 * Resolves the template of a send to its approved version and checks the parameters against it. M-MSG-26..38, gaps-2 B
 * "Template resolution", "Template parameter check details"
 */
export const resolveTemplate = (
  template: TemplateMessage,
  known: KnownTemplate | undefined
): Result.Result<FrozenTemplate, ApiError> => {
  const param = "message.template.name"
  if (known === undefined) return Result.fail(new TemplateNotFound({ param }))
  const { version } = known
  if (version === null || known.sending_status !== "approved") return Result.fail(new TemplateNotApproved({ param }))
  const checked = version.check(template)
  if (Result.isFailure(checked)) {
    const { message, param: group, value = "" } = checked.failure
    return Result.fail(new TemplateParamMismatch({ param: `message.template.${group}${value}`, message }))
  }
  const asset = template.header_media?.asset_id
  if (asset !== undefined && !asset.startsWith("mda_")) {
    const message = "message.template.header_media.asset_id is no id of a file; it begins with mda_."
    return Result.fail(new TemplateParamMismatch({ param: "message.template.header_media", message }))
  }
  return Result.succeed({
    template_row_version: known.row_version,
    template_name: known.name,
    template_id: known.id,
    template_version_id: version.id,
    template_version: version.version,
    template_category: version.category,
    parameters: checked.success
  })
}

/**
 * Returns the components of the buttons that the product fills: the payloads of answers, a token of each flow, and the
 * code of an authentication template. The token is the message's own id. U-SND-04, U-TPL-04
 */
export const filledComponents = (
  { body, filled }: TemplateParameters,
  message_id: string
): ReadonlyArray<StoredComponent> => filled.map((button) => filledComponent(button, body, message_id))

const filledComponent = (
  button: FilledButton,
  body: TemplateParameters["body"],
  flow_token: string
): StoredComponent => {
  const { index } = button
  switch (button.sub_type) {
    case "quick_reply": {
      const parameters = [{ type: "payload", payload: button.payload }] as const
      return { type: "button", sub_type: "quick_reply", index, parameters }
    }
    case "flow":
      return { type: "button", sub_type: "flow", index, parameters: [{ type: "action", action: { flow_token } }] }
    case "url":
      return { type: "button", sub_type: "url", index, parameters: [{ type: "text", text: body[button.code] ?? "" }] }
    case "copy_code": {
      const parameters = [{ type: "coupon_code", coupon_code: body[button.code] ?? "" }] as const
      return { type: "button", sub_type: "copy_code", index, parameters }
    }
  }
}

/** Returns the columns by which the answer to the flow of a button is matched; undefined without such a button. */
export const flowOfButton = ({ filled }: TemplateParameters, message_id: string) => {
  const button = filled.find(({ sub_type }) => sub_type === "flow")
  if (button?.sub_type !== "flow") return undefined
  return { flow_id: button.flow_id, flow_token: message_id }
}
