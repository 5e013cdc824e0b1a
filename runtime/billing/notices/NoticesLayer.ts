import { Commit } from "@carteiro/owners/Commit.ts"
import { Effect, Layer } from "effect"
import { NoticeRepo } from "./NoticeRepo.ts"
import { Notices } from "./Notices.ts"
import { dismissNotice } from "./NoticeWrites.ts"

export const noticesLayer = Layer.effect(
  Notices,
  Effect.gen(function* () {
    const repo = yield* NoticeRepo
    const commit = yield* Commit
    return Notices.of({
      open: repo.open,
      dismiss: (organization_id, id, dismissed_by, dismissed_at) =>
        Effect.asVoid(commit.write([dismissNotice.row({ organization_id, id, dismissed_at, dismissed_by })]))
    })
  })
).pipe(Layer.provide(NoticeRepo.layer))
