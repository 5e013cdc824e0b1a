import { reply } from "@carteiro/http-edge/Reply.ts"
import { commitThen, type Decision, type OwnerHandle } from "@carteiro/owners/Owner.ts"
import { importedTemplate } from "../template/Authoring.ts"
import { readTemplate } from "../template/TemplateRead.ts"
import type { TemplateState } from "../template/TemplateState.ts"
import { insertedTemplate } from "../template/TemplateWrites.ts"
import { nextSync, type OwnedTemplates } from "./ReviewQueue.ts"
import { syncEveryMs } from "./Synchronization.ts"
import type * as Items from "./TemplateItems.ts"

/**
 * Takes over the templates of an import whose names are free, all in one commit with the answer. A repeated call finds
 * its own templates and answers the same. U-TPL-08
 */
export const decideImport = (
  item: Items.ImportItem,
  { memory }: OwnedTemplates,
  owner: OwnerHandle,
  now: number
): Decision<Items.StoredResponse> => {
  const { claim, environment, left_out, trace_id } = item
  const imported: Array<TemplateState> = []
  const made: Array<TemplateState> = []
  for (const template of item.templates) {
    const known = memory.named(template.name, template.language)
    if (known === undefined) {
      const state = importedTemplate(owner.id, { ...template, environment, trace_id }, now)
      memory.put(state)
      made.push(state)
      imported.push(state)
    } else if (known.id === template.id) imported.push(known)
  }
  const rows = made.flatMap(insertedTemplate)
  // The hourly comparison begins with the first template that the provider knows.
  if (made.length > 0 && memory.syncDueAt === undefined) rows.push(...nextSync(memory, owner, syncEveryMs))
  const { body, status } = reply({ traceId: trace_id }, 200, {
    object: "template_import",
    data: imported.map(readTemplate),
    imported: imported.length,
    skipped: left_out + item.templates.length - imported.length
  })
  const value = { body, status }
  return commitThen({ rows, claim, response: value, settle: () => ({ ok: value }) })
}
