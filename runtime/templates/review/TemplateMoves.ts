import {
  TemplateApproved,
  TemplateCategoryUpdated,
  TemplateDisabled,
  TemplatePaused,
  TemplateRejected
} from "@carteiro/schema/templates/TemplateEvents.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { Outbox, OutboxEvent } from "../../outbox/Outbox.ts"
import { changedVersions, type ReviewDecision, type TemplateChange } from "../template/TemplateLife.ts"
import type { TemplateState } from "../template/TemplateState.ts"
import { savedTemplate } from "../template/TemplateWrites.ts"

/**
 * Returns the rows of a change: the template, its changed versions, and its events. gaps-2 G "Template and batch
 * events"
 */
export const movedRows = (
  outbox: Outbox["Service"],
  before: TemplateState,
  change: TemplateChange,
  { at, trace_id }: { readonly trace_id: string; readonly at: number }
): ReadonlyArray<Row> => {
  const { event, previous_category, template } = change
  const { environment, environment_id, id, language, name } = template
  const facts = { environment_id, environment, source_id: id, subject: null, trace_id, at }
  const rows = [...savedTemplate(template, changedVersions(before, template))]
  if (event !== undefined) rows.push(decisionEvent(outbox, template, event, facts))
  if (previous_category !== undefined) {
    const { category } = template.approved ?? template.newest
    const data = { template_id: id, name, language, category, previous_category }
    rows.push(outbox.event(TemplateCategoryUpdated, { ...facts, data }))
  }
  return rows
}

const decisionEvent = (
  outbox: Outbox["Service"],
  template: TemplateState,
  event: ReviewDecision,
  facts: Omit<OutboxEvent<typeof TemplateApproved>, "data">
): Row => {
  const { id, language, name } = template
  const told = event === "rejected" ? template.newest : (template.approved ?? template.newest)
  const data = <const Status extends ReviewDecision>(status: Status) => ({
    template_id: id,
    name,
    language,
    status,
    rejection_reason: told.rejection_reason
  })
  switch (event) {
    case "approved":
      return outbox.event(TemplateApproved, { ...facts, data: data(event) })
    case "rejected":
      return outbox.event(TemplateRejected, { ...facts, data: data(event) })
    case "paused":
      return outbox.event(TemplatePaused, { ...facts, data: data(event) })
    case "disabled":
      return outbox.event(TemplateDisabled, { ...facts, data: data(event) })
  }
}
