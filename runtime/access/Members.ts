import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"

/** Roles of the dashboard, the mightiest first. gaps-1 C "Dashboard sessions and roles" */
export const memberRoles = ["owner", "admin", "member"] as const
export type MemberRole = (typeof memberRoles)[number]

/** A person of an organization; instants in milliseconds. */
export interface Member {
  readonly organization_id: string
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: MemberRole
  /** One who is not active cannot sign in, and every session of theirs has ended. */
  readonly active: boolean
  readonly created_at: number
}

/** The people who use the dashboard. gaps-1 C "Dashboard sessions and roles" */
export class Members extends Context.Service<
  Members,
  {
    find(organizationId: string, id: string): Effect.Effect<Member | undefined>
    /** Oldest first. */
    list(organizationId: string): Effect.Effect<ReadonlyArray<Member>>
    /** An address, without case, may belong to members of several organizations. */
    findByEmail(email: string): Effect.Effect<ReadonlyArray<Member>>
    /** Refused when the address is taken within the organization. */
    add(
      member: Pick<Member, "organization_id" | "name" | "email" | "role">,
      now: number
    ): Effect.Effect<Member, ApiError>
    /** Refused when it would leave the organization without an active owner. */
    change(
      organizationId: string,
      id: string,
      to: Partial<Pick<Member, "role" | "active">>
    ): Effect.Effect<Member, ApiError>
  }
>()("@carteiro/runtime/access/Members") {}
