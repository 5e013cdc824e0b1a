import { Effect, Layer } from "effect"
import { SpendStandings } from "../access/Access.ts"
import { customerIdsLayer } from "../customers/CustomerIdsLayer.ts"
import { defineRoom } from "../room/Room.ts"
import { TemplateHints } from "../templates/Templates.ts"
import { batchAcceptanceLayer } from "./accept/BatchAcceptanceLayer.ts"
import { batchPlansLayer } from "./accept/BatchPlansLayer.ts"
import { StageRepo } from "./accept/StageRepo.ts"
import { AudienceRepo } from "./audience/AudienceRepo.ts"
import { AudiencesHttp } from "./audience/AudiencesHttp.ts"
import { BatchesHttp } from "./BatchesHttp.ts"
import { BatchLookupsHttp } from "./BatchLookupsHttp.ts"
import { BatchDirectory } from "./batch/BatchDirectory.ts"
import { BatchRepo } from "./batch/BatchRepo.ts"
import { jobs } from "./batch/ProgressJobs.ts"
import { progressFollower } from "./batch/ProgressWrites.ts"
import { recipientEraser } from "./batch/RecipientEraser.ts"
import { batchesOfTenant, FeedRepo } from "./feed/FeedRepo.ts"
import { outwardBatches } from "./feed/OutwardBatches.ts"
import { batchCommandsLayer } from "./owner/BatchCommandsLayer.ts"
import { BatchEntity } from "./owner/BatchEntity.ts"
import { batchOwners } from "./owner/BatchOwners.ts"

const sources = Layer.mergeAll(StageRepo.layer, AudienceRepo.layer, TemplateHints.layer, customerIdsLayer)

/** Broadcasts of one template to many recipients, and the audiences they go to. */
export const room = defineRoom({
  name: "batches",
  outward: [outwardBatches],
  followers: { "messages.advance": [progressFollower] },
  services: BatchDirectory.layer.pipe(Layer.provide(BatchRepo.layer)),
  routes: Layer.mergeAll(BatchesHttp, BatchLookupsHttp, AudiencesHttp).pipe(
    Layer.provide([
      Layer.merge(batchAcceptanceLayer, batchPlansLayer).pipe(Layer.provide(sources)),
      batchCommandsLayer
    ]),
    Layer.provide(Layer.mergeAll(BatchRepo.layer, AudienceRepo.layer, FeedRepo.layer))
  ),
  owners: batchOwners.pipe(
    Layer.provide(Layer.mergeAll(BatchRepo.layer, FeedRepo.layer, AudienceRepo.layer, SpendStandings.layer))
  ),
  due: [
    Effect.map(Effect.provide(FeedRepo, FeedRepo.layer), (repo) => ({
      type: BatchEntity.name,
      due: repo.due,
      ofTenant: batchesOfTenant
    }))
  ],
  jobs,
  erasers: Effect.map(recipientEraser, (eraser) => [eraser])
})
