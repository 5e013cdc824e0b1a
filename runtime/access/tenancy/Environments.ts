import type { EnvironmentEntry } from "@carteiro/console/Ports.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import type { Capability } from "@carteiro/schema/conventions/Access.ts"
import { Context, Effect, Layer } from "effect"
import { EnvironmentListRepo } from "./EnvironmentListRepo.ts"

/** The environments of an organization and their switches. gaps-1 N "Capability families" */
export class Environments extends Context.Service<
  Environments,
  {
    find(organizationId: string, id: string): Effect.Effect<EnvironmentEntry | undefined>
    /** Returns an environment by id alone, for operators and for the pages of payers. */
    findAnywhere(id: string): Effect.Effect<EnvironmentEntry | undefined>
    /** Returns active projects before archived ones, newest first; of each the sandbox, then production. */
    list(organizationId: string): Effect.Effect<ReadonlyArray<EnvironmentEntry>>
    /** Switches exactly these families off, from the next request on. Unknown ids change nothing. */
    switchOff(organizationId: string, id: string, families: ReadonlyArray<Capability>): Effect.Effect<void>
  }
>()("@carteiro/runtime/access/tenancy/Environments") {
  static readonly layer = Layer.effect(
    this,
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
}
