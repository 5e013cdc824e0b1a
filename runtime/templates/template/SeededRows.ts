import type { Ids } from "@carteiro/owners/Ids.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { type SeedPlace, seededTemplates } from "./SeededTemplates.ts"
import { insertedTemplate, savedSync } from "./TemplateWrites.ts"

/**
 * Returns the rows of the three templates that a new environment has. Boot contract, "Ready"; gaps-2 J "Quickstart
 * content"
 */
export const seededTemplateRows = (ids: Ids["Service"], environment: SeedPlace): ReadonlyArray<Row> => {
  const rows = seededTemplates(environment, (prefix) => ids.mint(prefix, environment.at), ids.traceId()).flatMap(
    insertedTemplate
  )
  // The provider's list brings their ids there.
  return environment.kind === "production" ? [...rows, savedSync(environment.environment_id, environment.at)] : rows
}
