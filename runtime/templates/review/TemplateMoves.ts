import {
  TemplateApproved,
  TemplateDisabled,
  TemplatePaused,
  TemplateRejected
} from "@carteiro/schema/templates/TemplateEvents.ts"
import type { Row } from "../../platform/commit/Write.ts"
import type { Outbox } from "../../platform/outbox/Outbox.ts"
import { changedVersions, type Moved } from "../template/TemplateLife.ts"
import type { TemplateState } from "../template/TemplateState.ts"
import { savedTemplate } from "../template/TemplateWrites.ts"

/** Rows of a change: the template, the versions that changed with it, and its event. gaps-2 G "Template and batch events" */
export const movedRows = (
  outbox: Outbox["Service"],
  before: TemplateState,
  { event, template }: Moved,
  { at, trace_id }: { readonly trace_id: string; readonly at: number }
): ReadonlyArray<Row> => {
  const rows = savedTemplate(template, changedVersions(before, template))
  if (event === undefined) return rows
  const { environment, environment_id, id, language, name } = template
  const told = event === "paused" || event === "disabled" ? (template.approved ?? template.newest) : template.newest
  const data = { template_id: id, name, language, rejection_reason: told.rejection_reason }
  const facts = { environment_id, environment, source_id: id, subject: null, trace_id, at }
  switch (event) {
    case "approved":
      return [
        ...rows,
        outbox.event(TemplateApproved, { ...facts, data: { ...data, rejection_reason: null, status: event } })
      ]
    case "rejected":
      return [...rows, outbox.event(TemplateRejected, { ...facts, data: { ...data, status: event } })]
    case "paused":
      return [...rows, outbox.event(TemplatePaused, { ...facts, data: { ...data, status: event } })]
    case "disabled":
      return [...rows, outbox.event(TemplateDisabled, { ...facts, data: { ...data, status: event } })]
  }
}
