import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import type { Template } from "@carteiro/schema/templates/Template.ts"
import { authoringSignals } from "./AuthoringSignals.ts"
import type { TemplateState } from "./TemplateState.ts"

/** Returns the template as reads show it: its newest version. M-TPL-01..11 */
export const readTemplate = (template: TemplateState): Template => {
  const { approved, newest } = template
  return {
    id: template.id,
    object: "template",
    name: template.name,
    language: template.language,
    category: newest.category,
    parameter_format: newest.parameter_format,
    status: newest.status,
    environment: template.environment,
    version: newest.version,
    version_id: newest.id,
    approved_version: approved?.version ?? null,
    components: newest.components,
    provider_template_id: template.provider_template_id,
    rejection_reason: newest.rejection_reason,
    provider_quality: template.provider_quality,
    authoring_signals: authoringSignals(newest),
    submitted_at: formatTimestampOrNull(newest.submitted_at),
    approved_at: formatTimestampOrNull(newest.approved_at),
    created_at: formatTimestamp(template.created_at),
    updated_at: formatTimestamp(template.updated_at)
  }
}
