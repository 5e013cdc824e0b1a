import type { Ids } from "@carteiro/owners/Ids.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { type SeedPlace, seededTemplates } from "./SeededTemplates.ts"
import { insertedTemplate, savedSync } from "./TemplateWrites.ts"

/**
 * Returns the rows of the three templates that a new environment has. Boot contract, "Ready"; gaps-2 J "Quickstart
 * content"
 */
export const seededTemplateRows = (ids: Ids["Service"], place: SeedPlace): ReadonlyArray<Row> => {
  const rows = seededTemplates(place, (prefix) => ids.mint(prefix, place.at), ids.traceId()).flatMap(insertedTemplate)
  // The provider's list brings their ids there.
  return place.kind === "production" ? [...rows, savedSync(place.environment_id, place.at)] : rows
}
