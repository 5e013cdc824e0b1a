import { Commit } from "@carteiro/owners/Commit.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { OrganizationNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { type Organization, OrganizationRepo } from "./OrganizationRepo.ts"

/** Returns the refusal for an operator or member who names an unknown organization. */
export const unknownOrganization = (): OrganizationNotFound =>
  new OrganizationNotFound({ message: "No organization with this id." })

/**
 * Organizations and an operator's actions on them. Every node reads these rows for every request, so a change takes
 * effect with the next request. A-AUTH-11, A-AUTH-16, A-AUTH-17
 */
export class Organizations extends Context.Service<
  Organizations,
  {
    /** Returns an organization that was not removed. */
    find(id: string): Effect.Effect<Organization | undefined>
    /** Returns organizations newest first, after the one with that id; at most `count`. */
    list(after: string | undefined, count: number): Effect.Effect<ReadonlyArray<Organization>>
    /** Suspends an organization: its keys answer 403 until it is resumed; a repeated call changes nothing. */
    suspend(id: string, now: number): Effect.Effect<Organization, ApiError>
    resume(id: string): Effect.Effect<Organization, ApiError>
    /** Sets the credit block of its production keys, or lifts it. */
    setCreditBlock(id: string, blocked: boolean): Effect.Effect<Organization, ApiError>
  }
>()("@carteiro/runtime/access/tenancy/Organizations") {
  static readonly layer = Layer.effect(
    this,
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
}
