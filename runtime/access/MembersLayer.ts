import { LastOwner, MemberEmailTaken, MemberNotFound } from "@carteiro/schema/access/MemberErrors.ts"
import { OrganizationNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import { Effect, Layer } from "effect"
import { Commit } from "../platform/commit/Commit.ts"
import { Ids } from "../platform/ids/Ids.ts"
import { changeMember, insertMember, MemberRepo } from "./MemberRepo.ts"
import { Members } from "./Members.ts"
import { OrganizationRepo } from "./OrganizationRepo.ts"

export const MembersLayer = Layer.effect(
  Members,
  Effect.gen(function* () {
    const repo = yield* MemberRepo
    const organizations = yield* OrganizationRepo
    const commit = yield* Commit
    const ids = yield* Ids
    return Members.of({
      find: repo.find,
      list: repo.list,
      findByEmail: repo.findByEmail,
      add: Effect.fnUntraced(function* ({ organization_id, role, ...person }, now) {
        const id = ids.mint("mem", now)
        const member = { organization_id, id, name: clean(person.name), email: clean(person.email), role }
        const written = yield* commit.write([repo.insert({ ...member, created_at: now })])
        if (written(insertMember.name).has(id)) return { ...member, active: true, created_at: now }
        return yield* (yield* organizations.find(organization_id)) === undefined
          ? new OrganizationNotFound({ message: "No organization with this id." })
          : new MemberEmailTaken()
      }),
      change: Effect.fnUntraced(function* (organizationId, id, to) {
        const before = yield* repo.find(organizationId, id)
        if (before === undefined) return yield* new MemberNotFound()
        const after = { ...before, ...to }
        const written = yield* commit.write([repo.change(after)])
        return written(changeMember.name).has(id) ? after : yield* new LastOwner()
      })
    })
  })
)
