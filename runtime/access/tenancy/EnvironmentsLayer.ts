import { Effect, Layer } from "effect"
import { Commit } from "../../platform/commit/Commit.ts"
import { EnvironmentListRepo } from "./EnvironmentListRepo.ts"
import { Environments } from "./Environments.ts"

export const EnvironmentsLayer = Layer.effect(
  Environments,
  Effect.gen(function* () {
    const repo = yield* EnvironmentListRepo
    const commit = yield* Commit
    return Environments.of({
      find: repo.find,
      findAnywhere: repo.findAnywhere,
      list: repo.list,
      switchOff: (organizationId, id, families) =>
        Effect.asVoid(Effect.orDie(commit.write([repo.switchOff(organizationId, id, families)])))
    })
  })
)
