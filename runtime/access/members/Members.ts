import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { MemberManager, MemberRole } from "./MemberRules.ts"

/** A person of an organization; instants in milliseconds. */
export interface Member {
  readonly organization_id: string
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: MemberRole
  /** One who is not active cannot sign in. */
  readonly active: boolean
  /** Links and sessions begun by then have ended: the last time the member was deactivated. */
  readonly signed_out_at: number | null
  readonly created_at: number
}

/** What is not named stays as it is. */
export type MemberChange = Partial<Pick<Member, "role" | "active">>

/**
 * The people who use the dashboard; whoever may not manage owners is refused where owners are concerned.
 * gaps-1 C "Dashboard sessions and roles", decision 0007
 */
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
      by: MemberManager,
      now: number
    ): Effect.Effect<Member, ApiError>
    /** Refused when it would leave the organization without an active owner. Deactivating ends every session. */
    change(
      organizationId: string,
      id: string,
      to: MemberChange,
      by: MemberManager,
      now: number
    ): Effect.Effect<Member, ApiError>
  }
>()("@carteiro/runtime/access/members/Members") {}
