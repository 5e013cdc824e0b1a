import { type Slices, sliceLength } from "@carteiro/owners/Slices.ts"
import type { CreateBatch } from "@carteiro/schema/batches/CreateBatch.ts"
import { TemplateParamMismatch } from "@carteiro/schema/templates/TemplateErrors.ts"
import { Result } from "effect"
import type {
  checkTemplateParameters,
  ParameterMismatch,
  SentParameters,
  TemplateNeeds
} from "../../templates/Templates.ts"

/**
 * Holds every recipient's variables and the one media header against the approved version, a slice at a time. A batch
 * has no source for the parameters of a text header or of a button's address, and contacts bring no variables: then the
 * template itself does not fit. M-BAT-17..22
 */
export function* checkBatchParameters(
  check: typeof checkTemplateParameters,
  needs: TemplateNeeds,
  { recipients, template: sent }: CreateBatch
): Slices<TemplateParamMismatch | undefined> {
  const { header_media } = sent
  if (recipients === undefined || recipients === null) {
    const read = check(needs, { header_media })
    return Result.isSuccess(read) ? undefined : mismatch(read.failure, "template")
  }
  for (const [index, { variables }] of recipients.entries()) {
    if (index > 0 && index % sliceLength === 0) yield undefined
    const refusal = variablesMismatch(check, needs, { variables, header_media }, index)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/**
 * Returns why the values of the recipient at this index do not fit; its `param` names the template where no recipient's
 * would. M-BAT-18, M-BAT-21
 */
export const variablesMismatch = (
  check: typeof checkTemplateParameters,
  needs: TemplateNeeds,
  sent: SentParameters,
  index: number
): TemplateParamMismatch | undefined => {
  const read = check(needs, sent)
  return Result.isFailure(read) ? mismatch(read.failure, `recipients.${index}.variables`) : undefined
}

const mismatch = ({ message, param, value = "" }: ParameterMismatch, variablesParam: string): TemplateParamMismatch => {
  switch (param) {
    case "variables":
      return new TemplateParamMismatch({
        param: `${variablesParam}${value}`,
        message:
          variablesParam === "template"
            ? "The body of this template has variables, for which contacts bring no values; name recipients instead."
            : message.replace("message.template.variables", "variables")
      })
    case "components":
      return new TemplateParamMismatch({
        param: "template",
        message: "A batch has no values for the header text, the button addresses or the coupons of this template."
      })
    case "header_media":
      return new TemplateParamMismatch({
        param: "template.header_media",
        message: message.replace("message.template.header_media", "template.header_media")
      })
  }
}
