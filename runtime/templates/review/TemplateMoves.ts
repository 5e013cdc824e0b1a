import {
  TemplateApproved,
  TemplateDisabled,
  TemplatePaused,
  TemplateRejected
} from "@carteiro/schema/templates/TemplateEvents.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { Outbox } from "../../outbox/Outbox.ts"
import { changedVersions, type Moved } from "../template/TemplateLife.ts"
import type { TemplateState } from "../template/TemplateState.ts"
import { savedTemplate } from "../template/TemplateWrites.ts"

/**
 * Returns the rows of a change: the template, its changed versions, and its event. gaps-2 G "Template and batch events"
 */
export const movedRows = (
  outbox: Outbox["Service"],
  before: TemplateState,
  { event, template }: Moved,
  { at, trace_id }: { readonly trace_id: string; readonly at: number }
): ReadonlyArray<Row> => {
  const rows = savedTemplate(template, changedVersions(before, template))
  if (event === undefined) return rows
  const { environment, environment_id, id, language, name } = template
  const told = event === "rejected" ? template.newest : (template.approved ?? template.newest)
  const facts = { environment_id, environment, source_id: id, subject: null, trace_id, at }
  const data = <const Status extends typeof event>(status: Status) => ({
    template_id: id,
    name,
    language,
    status,
    rejection_reason: told.rejection_reason
  })
  switch (event) {
    case "approved":
      return [...rows, outbox.event(TemplateApproved, { ...facts, data: data(event) })]
    case "rejected":
      return [...rows, outbox.event(TemplateRejected, { ...facts, data: data(event) })]
    case "paused":
      return [...rows, outbox.event(TemplatePaused, { ...facts, data: data(event) })]
    case "disabled":
      return [...rows, outbox.event(TemplateDisabled, { ...facts, data: data(event) })]
  }
}
