import { callingMember } from "@carteiro/http-edge/Admission.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { MemberNotFound } from "@carteiro/schema/access/MemberErrors.ts"
import { type MemberRead, type MemberResource, MembersApi } from "@carteiro/schema/access/MembersApi.ts"
import { mayDecide } from "@carteiro/schema/access/Roles.ts"
import type { MemberRole } from "@carteiro/schema/conventions/Access.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect } from "effect"
import type { Member } from "./MemberRepo.ts"
import { mayManage, memberRoles } from "./MemberRules.ts"
import { Members } from "./Members.ts"

/** Operations of people about the people of their organization. Decision 0155 */
export const MembersHttp = Routes.group(
  MembersApi,
  Effect.gen(function* () {
    const members = yield* Members

    return Routes.handlers(MembersApi, {
      list: Effect.fnUntraced(function* ({ caller, traceId }) {
        const all = yield* members.list(caller.organization_id)
        const assignable_roles = assignableBy(callingMember(caller).role)
        return reply({ traceId }, 200, { object: "list", data: all.map(readMember), assignable_roles })
      }),

      get: Effect.fnUntraced(function* ({ caller, params, traceId }) {
        const all = yield* members.list(caller.organization_id)
        const member = all.find(({ id }) => id === params.member_id)
        if (member === undefined) return yield* new MemberNotFound()
        const { role } = callingMember(caller)
        const owners = all.filter(({ active, role }) => active && role === "owner")
        const body: Omit<MemberRead, "trace_id"> = {
          ...readMember(member),
          may_manage: mayManage(role, member.role),
          is_last_owner: owners.length === 1 && owners[0]?.id === member.id,
          assignable_roles: assignableBy(role)
        }
        return reply({ traceId }, 200, body)
      }),

      add: Effect.fnUntraced(function* ({ body, caller, claim, realNow, traceId }) {
        const { organization_id } = caller
        const inviting = callingMember(caller)
        const language = (yield* members.find(organization_id, inviting.id))?.language ?? null
        const person = { ...body, organization_id, language }
        const answer = (member: Member) => reply({ traceId }, 201, readMember(member))
        const complete = (member: Member) => ({ claim, response: answer(member) })
        return answer(yield* members.add(person, inviting.role, realNow, complete))
      }),

      update: Effect.fnUntraced(function* ({ body, caller, params, realNow, traceId }) {
        const { role } = callingMember(caller)
        const changed = yield* members.change(caller.organization_id, params.member_id, body, role, realNow)
        return reply({ traceId }, 200, readMember(changed))
      })
    })
  })
)

const assignableBy = (by: MemberRole): ReadonlyArray<MemberRole> =>
  mayDecide(by) ? memberRoles.filter((role) => mayManage(by, role)) : []

const readMember = ({ active, created_at, email, id, name, role }: Member): MemberResource => ({
  id,
  object: "member",
  name,
  email,
  role,
  active,
  created_at: formatTimestamp(created_at)
})
