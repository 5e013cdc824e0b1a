import { Commit } from "@carteiro/owners/Commit.ts"
import type { Completion } from "@carteiro/owners/Idempotency.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import type { RealInstant } from "@carteiro/owners/RealTime.ts"
import { LastOwner, MemberEmailTaken, MemberNotFound, OwnersOnly } from "@carteiro/schema/access/MemberErrors.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import { Context, Effect, Layer } from "effect"
import { OrganizationRepo } from "../tenancy/OrganizationRepo.ts"
import { unknownOrganization } from "../tenancy/Organizations.ts"
import { changeMember, insertMember, type Member, type MemberChange, MemberRepo } from "./MemberRepo.ts"
import { type MemberManager, mayManage } from "./MemberRules.ts"

/**
 * The people who use the dashboard. A person who may not manage owners is refused changes of owners. gaps-1 C
 * "Dashboard sessions and roles", decision 0007
 */
export class Members extends Context.Service<
  Members,
  {
    find(organizationId: string, id: string): Effect.Effect<Member | undefined>
    /** Returns members oldest first. */
    list(organizationId: string): Effect.Effect<ReadonlyArray<Member>>
    /** Returns the members with an address, regardless of case; they may belong to several organizations. */
    findByEmail(email: string): Effect.Effect<ReadonlyArray<Member>>
    /**
     * Adds a member; refuses an address that the organization already has. E-mails are in `language` until the member signs
     * in with another. `complete` returns what the commit of the member completes.
     */
    add(
      member: Pick<Member, "organization_id" | "name" | "email" | "role" | "language">,
      by: MemberManager,
      now: RealInstant,
      complete?: (member: Member) => Completion
    ): Effect.Effect<Member, ApiError>
    /** Changes a member; refuses to leave the organization without an active owner. Deactivation ends every session. */
    change(
      organizationId: string,
      id: string,
      to: MemberChange,
      by: MemberManager,
      now: RealInstant
    ): Effect.Effect<Member, ApiError>
  }
>()("@carteiro/runtime/access/members/Members") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* MemberRepo
      const organizations = yield* OrganizationRepo
      const commit = yield* Commit
      const ids = yield* Ids
      return Members.of({
        find: repo.find,
        list: repo.list,
        findByEmail: repo.findByEmail,
        add: Effect.fnUntraced(function* ({ language, organization_id, role, ...person }, by, now, complete) {
          if (!mayManage(by, role)) return yield* new OwnersOnly()
          const id = ids.mint("mem", now)
          const member = { organization_id, id, name: clean(person.name), email: clean(person.email), role, language }
          const added: Member = { ...member, active: true, signed_out_at: null, created_at: now }
          const written = yield* commit.write([repo.insert({ ...member, created_at: now })], complete?.(added))
          if (written(insertMember.name).has(id)) return added
          return yield* (yield* organizations.find(organization_id)) === undefined
            ? unknownOrganization()
            : new MemberEmailTaken()
        }),
        change: Effect.fnUntraced(function* (organizationId, id, to, by, now) {
          if (!mayManage(by, to.role ?? "member")) return yield* new OwnersOnly()
          const row = repo.change(organizationId, id, to, mayManage(by, "owner"), now)
          const written = yield* commit.write([row])
          const member = yield* repo.find(organizationId, id)
          if (member === undefined) return yield* new MemberNotFound()
          if (written(changeMember.name).has(id)) return member
          return yield* mayManage(by, member.role) ? new LastOwner() : new OwnersOnly()
        })
      })
    })
  )
}
