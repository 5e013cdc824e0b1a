import { Effect, Layer } from "effect"
import { Commit } from "../../platform/commit/Commit.ts"
import type { Row } from "../../platform/commit/Write.ts"
import { OrganizationRepo } from "./OrganizationRepo.ts"
import { Organizations, unknownOrganization } from "./Organizations.ts"

export const OrganizationsLayer = Layer.effect(
  Organizations,
  Effect.gen(function* () {
    const repo = yield* OrganizationRepo
    const commit = yield* Commit
    const changed = Effect.fnUntraced(function* (id: string, row: Row) {
      yield* commit.write([row])
      const organization = yield* repo.find(id)
      return organization ?? (yield* unknownOrganization())
    })
    return Organizations.of({
      find: repo.find,
      list: repo.list,
      suspend: (id, now) => changed(id, repo.suspend(id, now)),
      resume: (id) => changed(id, repo.suspend(id, null)),
      setCreditBlock: (id, blocked) => changed(id, repo.blockCredit(id, blocked))
    })
  })
)
