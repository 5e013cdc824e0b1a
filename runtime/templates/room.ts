import { Ids } from "@carteiro/owners/Ids.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect, Layer } from "effect"
import { ExampleFiles } from "../media/Media.ts"
import { defineRoom } from "../room/Room.ts"
import type { NewEnvironment } from "../tenancy/EnvironmentCreated.ts"
import { templateCommandsLayer } from "./review/TemplateCommandsLayer.ts"
import { TemplatesEntity } from "./review/TemplatesEntity.ts"
import { TemplatesHttp } from "./review/TemplatesHttp.ts"
import { templatesOwners } from "./review/TemplatesOwners.ts"
import { dueReviews, dueSyncs } from "./template/DueTemplatesRepo.ts"
import { seededTemplateRows } from "./template/SeededRows.ts"
import { TemplateDirectory } from "./template/TemplateDirectory.ts"
import { TemplateLookupsHttp } from "./template/TemplateLookupsHttp.ts"
import { TemplateRepo } from "./template/TemplateRepo.ts"

/** The templates room: authoring, review, and the parameters that a send needs. */
export const room = defineRoom({
  name: "templates",
  environment: Effect.map(
    Ids,
    (ids) =>
      (environment: NewEnvironment): ReadonlyArray<Row> =>
        environment.kind === "sandbox" ? seededTemplateRows(ids, environment) : []
  ),
  services: TemplateDirectory.layer.pipe(Layer.provide(TemplateRepo.layer)),
  actions: templateCommandsLayer.pipe(Layer.provide(TemplateRepo.layer)),
  routes: Layer.merge(TemplatesHttp, TemplateLookupsHttp).pipe(Layer.provide(TemplateRepo.layer)),
  owners: templatesOwners.pipe(Layer.provide([TemplateRepo.layer, ExampleFiles.layer])),
  due: [
    Effect.succeed({ type: TemplatesEntity.name, ...dueReviews }),
    Effect.succeed({ type: TemplatesEntity.name, due: dueSyncs })
  ]
})
