import { Effect, Layer } from "effect"
import { ExampleFiles } from "../media/Media.ts"
import type { Row } from "../platform/commit/Write.ts"
import { Ids } from "../platform/ids/Ids.ts"
import { defineRoom } from "../platform/room/Room.ts"
import type { NewEnvironment } from "../platform/tenancy/EnvironmentCreated.ts"
import { TemplateCommands } from "./review/TemplateCommands.ts"
import { TemplatesEntity, templatesOwners } from "./review/TemplatesEntity.ts"
import { TemplatesHttp } from "./routes/TemplatesHttp.ts"
import { dueReviews, dueSyncs } from "./template/DueTemplatesRepo.ts"
import { seededTemplateRows } from "./template/SeededRows.ts"
import { TemplateDirectory } from "./template/TemplateDirectory.ts"
import { TemplateRepo } from "./template/TemplateRepo.ts"

export {
  checkTemplateParameters,
  type ParameterMismatch,
  type SentParameters,
  type SentTemplate,
  type TemplateNeeds,
  type TemplateParameters,
  templateNeeds
} from "./parameters/TemplateParameters.ts"
export { TemplateCommands } from "./review/TemplateCommands.ts"
export { TemplatesEntity } from "./review/TemplatesEntity.ts"
export { seededTemplateRows } from "./template/SeededRows.ts"
export { TemplateDirectory } from "./template/TemplateDirectory.ts"
export { TemplateHints } from "./template/TemplateHints.ts"
export { isSubmittable } from "./template/TemplateLife.ts"
export { readTemplate } from "./template/TemplateRead.ts"
export type { TemplateVersion } from "./template/TemplateState.ts"

/** Templates: what is written, its review, and what a send of one must bring. */
export const room = defineRoom({
  name: "templates",
  environment: Effect.map(
    Ids,
    (ids) =>
      (environment: NewEnvironment): ReadonlyArray<Row> =>
        environment.kind === "sandbox" ? seededTemplateRows(ids, environment) : []
  ),
  services: TemplateDirectory.layer.pipe(Layer.provide(TemplateRepo.layer)),
  actions: TemplateCommands.layer,
  routes: TemplatesHttp.pipe(Layer.provide(TemplateRepo.layer)),
  owners: templatesOwners.pipe(Layer.provide([TemplateRepo.layer, ExampleFiles.layer])),
  due: [
    Effect.succeed({ type: TemplatesEntity.name, due: dueReviews }),
    Effect.succeed({ type: TemplatesEntity.name, due: dueSyncs })
  ]
})
