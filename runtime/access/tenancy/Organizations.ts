import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { OrganizationNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Context, type Effect } from "effect"

/** An organization as its people and operators see it; instants in milliseconds. */
export interface Organization {
  readonly id: string
  readonly name: string
  readonly suspended_at: number | null
  readonly credit_blocked: boolean
  readonly created_at: number
}

/** What people are told who name an organization by its id; a key is told of its own. */
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
>()("@carteiro/runtime/access/tenancy/Organizations") {}
