import { Effect, Layer } from "effect"
import { CustomerIdRepo } from "../customers/CustomerIdRepo.ts"
import { customerIdsLayer } from "../customers/CustomerIdsLayer.ts"
import { joinJob } from "../customers/JoinJob.ts"
import { MediaRetentionDays } from "../media/Media.ts"
import { defineRoom } from "../room/Room.ts"
import { ContactsHttp } from "./ContactsHttp.ts"
import { ConsentActions } from "./consent/ConsentActions.ts"
import { ContactDirectory } from "./contact/ContactDirectory.ts"
import { ContactLookupsHttp } from "./contact/ContactLookupsHttp.ts"
import { ContactRepo } from "./contact/ContactRepo.ts"
import { heardFrom, keywordEvents } from "./contact/ContactWrites.ts"
import { erasureJob } from "./erasure/ErasureJob.ts"
import { erasuresLayer } from "./erasure/ErasuresLayer.ts"
import { redactContacts } from "./erasure/RedactedContacts.ts"
import { ContactExports } from "./export/ContactExports.ts"
import { contactMover } from "./person/ContactMoveRepo.ts"
import { DataRetention } from "./retention/DataRetention.ts"
import { DataRetentionHttp } from "./retention/DataRetentionHttp.ts"
import { RetentionPolicyRepo } from "./retention/RetentionPolicyRepo.ts"

/** The contacts room: customers, their consent, their erasure, and the retention of their data. */
export const room = defineRoom({
  name: "contacts",
  followers: { [heardFrom.name]: [keywordEvents] },
  services: Layer.merge(ContactDirectory.layer, ContactExports.layer).pipe(
    Layer.provide(ContactRepo.layer),
    Layer.provideMerge(DataRetention.layer.pipe(Layer.provide(RetentionPolicyRepo.layer)))
  ),
  // The retention of files is part of the policy.
  answers: Layer.effect(
    MediaRetentionDays,
    Effect.map(
      RetentionPolicyRepo,
      (repo) => (environmentId: string) =>
        Effect.map(repo.find(environmentId), ({ media_retention_days }) => media_retention_days)
    )
  ).pipe(Layer.provide(RetentionPolicyRepo.layer)),
  actions: erasuresLayer.pipe(Layer.provide([ContactRepo.layer, CustomerIdRepo.layer])),
  routes: Layer.mergeAll(
    ContactsHttp.pipe(Layer.provide(ConsentActions.layer)),
    ContactLookupsHttp,
    DataRetentionHttp
  ).pipe(Layer.provide([ContactRepo.layer, customerIdsLayer])),
  jobs: [erasureJob, joinJob],
  erasers: Effect.map(contactMover, (mover) => [{ redact: redactContacts }, mover])
})
