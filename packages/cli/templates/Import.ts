import type { Carteiro } from "@carteiro/sdk"
import type { Shell } from "../shell/Shell.ts"
import { table } from "../shell/Table.ts"

/** The most calls of one import; each takes at most 500 templates. */
const mostCalls = 20

/** Imports the approved templates that the environment's account already has, until none is left. */
export const importTemplates = async (shell: Shell): Promise<void> => {
  const client = await shell.client()
  const templates: Array<Carteiro.Template> = []
  let skipped = 0
  for (let call = 0; call < mostCalls; call++) {
    const result = await client.templates.import()
    templates.push(...result.data)
    skipped = result.imported === 0 ? result.skipped - templates.length : result.skipped
    if (result.imported === 0) break
  }
  const rows = templates.map(({ category, id, language, name }) => [id, name, language, category])
  const summary = `${templates.length} imported, ${skipped} of the account left out.`
  shell.result(
    { data: templates, imported: templates.length, skipped },
    rows.length === 0 ? summary : `${table(["ID", "NAME", "LANGUAGE", "CATEGORY"], rows)}\n${summary}`
  )
}
