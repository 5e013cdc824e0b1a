import { Commit } from "@carteiro/owners/Commit.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { OrganizationNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer } from "effect"
import { type Organization, OrganizationRepo } from "./OrganizationRepo.ts"

/** Returns the refusal for people who name an unknown organization by its id. */
export const unknownOrganization = (): OrganizationNotFound =>
  new OrganizationNotFound({ message: "No organization with this id." })

/**
 * Organizations and what an operator does to them. Every node reads these rows for every request, so that the next
 * request after a change meets it. A-AUTH-11, A-AUTH-16, A-AUTH-17
 */
export class Organizations extends Context.Service<
  Organizations,
  {
    /** One that was not removed. */
    find(id: string): Effect.Effect<Organization | undefined>
    /** Newest first, after the one with that id; at most `count`. */
    list(after: string | undefined, count: number): Effect.Effect<ReadonlyArray<Organization>>
    /** Its keys answer 403 until it is resumed; again changes nothing. */
    suspend(id: string, now: number): Effect.Effect<Organization, ApiError>
    resume(id: string): Effect.Effect<Organization, ApiError>
    /** Puts its production keys under the credit block, or lifts it. */
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
