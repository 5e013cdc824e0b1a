import { Effect, Layer } from "effect"
import type { Row } from "../platform/commit/Write.ts"
import { Ids } from "../platform/ids/Ids.ts"
import { defineRoom } from "../platform/room/Room.ts"
import type { NewEnvironment } from "../platform/tenancy/EnvironmentCreated.ts"
import { type SeedPlace, seededTemplates } from "./template/SeededTemplates.ts"
import { TemplateDirectory } from "./template/TemplateDirectory.ts"
import { TemplateRepo } from "./template/TemplateRepo.ts"
import { insertedTemplate } from "./template/TemplateWrites.ts"

export {
  checkTemplateParameters,
  type ParameterMismatch,
  type SentParameters,
  type SentTemplate,
  type TemplateNeeds,
  type TemplateParameters,
  templateNeeds
} from "./parameters/TemplateParameters.ts"
export { TemplateDirectory } from "./template/TemplateDirectory.ts"

/** Rows of the three templates that an environment begins with. Boot contract, "Ready"; gaps-2 J "Quickstart content" */
export const seededTemplateRows = (ids: Ids["Service"], place: SeedPlace): ReadonlyArray<Row> =>
  seededTemplates(place, (prefix) => ids.mint(prefix, place.at), ids.traceId()).flatMap(insertedTemplate)

/** Templates: what is written, its review, and what a send of one must bring. */
export const room = defineRoom({
  name: "templates",
  environment: Effect.map(
    Ids,
    (ids) =>
      (environment: NewEnvironment): ReadonlyArray<Row> =>
        environment.kind === "sandbox" ? seededTemplateRows(ids, environment) : []
  ),
  services: TemplateDirectory.layer.pipe(Layer.provide(TemplateRepo.layer))
})
