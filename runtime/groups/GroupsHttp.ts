import type { Caller } from "@carteiro/http-edge/Admission.ts"
import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { rawReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Routes, RouteTable } from "@carteiro/http-edge/Routes.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import { ConnectedChat } from "@carteiro/provider/ChatProvider.ts"
import { GroupNotFound } from "@carteiro/schema/groups/GroupErrors.ts"
import { GroupsApi } from "@carteiro/schema/groups/GroupsApi.ts"
import { SenderPhoneNumberUnavailable } from "@carteiro/schema/messages/MessageErrors.ts"
import { PhoneNumberNotFound } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import { Effect, Layer } from "effect"
import { NumberDirectory } from "../phone-numbers/PhoneNumbers.ts"
import { InviteHosts, isInviteTail, refusePersonalGroup } from "./GroupPaths.ts"
import { readGroup } from "./group/GroupRead.ts"
import { GroupRepo } from "./group/GroupRepo.ts"
import { readEligibility, unchecked } from "./participants/Eligibility.ts"
import { EligibilityRepo } from "./participants/EligibilityRepo.ts"
import { wholeSecond } from "./participants/Participation.ts"
import { PhoneGroupsEntity } from "./worker/PhoneGroupsEntity.ts"

/**
 * Refuses a link that was pasted unencoded, slashes included, as it refuses an encoded one. C-GRP-74, gaps-3 B "Path
 * rule details"
 */
const inviteTails = Layer.effectDiscard(
  Effect.gen(function* () {
    const table = yield* RouteTable
    const hosts = yield* InviteHosts
    const accepts = (tail: string) => isInviteTail(tail, hosts)
    for (const method of ["GET", "DELETE"]) table.tail({ method, path: "/v1/groups/:group_id", accepts })
  })
)

/** Routes of `/v1/groups`, and the simulated participants of a sandbox. C-GRP, C-ELIG, C-GPART */
export const GroupsHttp = Routes.group(
  GroupsApi,
  Effect.gen(function* () {
    const groups = yield* GroupRepo
    const eligibilities = yield* EligibilityRepo
    const numbers = yield* NumberDirectory
    const owners = yield* PhoneGroupsEntity.client
    const connected = yield* ConnectedChat
    const cursors = yield* Cursors
    const ids = yield* Ids
    const hosts = yield* InviteHosts

    const answered = ({ body, status }: { readonly status: number; readonly body: string }) => rawReply(status, body)

    /**
     * Refuses foreign and absent numbers alike. C-ELIG-21, gaps-3 B "Foreign or absent number on create and on the
     * eligibility read"
     */
    const known = Effect.fnUntraced(function* ({ environment_id }: Caller, id: string) {
      const number = parseId("pn", id) ? yield* numbers.find(environment_id, id) : undefined
      return number ?? (yield* new PhoneNumberNotFound({ param: "phone_number_id" }))
    })

    /** Refuses a number that is not active; in production also one that is not linked and connected. C-GRP-38 */
    const mayHost = Effect.fnUntraced(function* ({ environment, environment_id }: Caller, id: string, status: string) {
      const unavailable = new SenderPhoneNumberUnavailable({
        param: "phone_number_id",
        message: "The phone number is not an active, linked chat number."
      })
      if (status !== "active") return yield* unavailable
      if (environment === "sandbox") return
      const link = yield* connected({ environment_id, channel: "chatapp", business_id: id })
      if (link._tag === "Unavailable") return yield* unavailable
    })

    const found = Effect.fnUntraced(function* (environmentId: string, id: string) {
      yield* refusePersonalGroup(id, hosts)
      const group = parseId("grp", id) ? yield* groups.find(environmentId, id) : undefined
      return group ?? (yield* new GroupNotFound())
    })

    return Routes.handlers(GroupsApi, {
      eligibility: Effect.fnUntraced(function* (request) {
        const { caller, query } = request
        const { id } = yield* known(caller, query.phone_number_id)
        const { environment, environment_id } = caller
        const stored = yield* eligibilities.find(environment_id, id)
        const shown = stored ?? unchecked({ environment, environment_id, phone_number_id: id })
        return reply(request, 200, readEligibility(shown))
      }),

      checkEligibility: Effect.fnUntraced(function* ({ body, caller, claim, traceId }) {
        const { id } = yield* known(caller, body.phone_number_id)
        const { environment, environment_id } = caller
        return answered(yield* owners.Check(id, { trace_id: traceId, claim, environment, environment_id }))
      }),

      create: Effect.fnUntraced(function* ({ body, caller, claim, now, traceId }) {
        const { id, status } = yield* known(caller, body.phone_number_id)
        yield* mayHost(caller, id, status)
        return answered(
          yield* owners.Create(id, {
            trace_id: traceId,
            claim,
            id: ids.mint("grp", now),
            environment: caller.environment,
            environment_id: caller.environment_id,
            subject: body.subject,
            description: body.description ?? null,
            created_at: now
          })
        )
      }),

      list: Effect.fnUntraced(function* (request) {
        const { caller, operation, query } = request
        const { phone_number_id, starting_after, status } = query
        const scope = caller.environment_id
        const page = yield* idPage(
          { cursors, route: operation, scope, after: starting_after, size: pageSize(query.limit) },
          (before, count) => groups.list(scope, { phone_number_id, status }, before, count),
          readGroup
        )
        return pageReply(request, page)
      }),

      get: Effect.fnUntraced(function* (request) {
        const group = yield* found(request.caller.environment_id, request.params.group_id)
        return reply(request, 200, readGroup(group))
      }),

      delete: Effect.fnUntraced(function* ({ caller, claim, params, traceId }) {
        const { environment_id, id, phone_number_id } = yield* found(caller.environment_id, params.group_id)
        return answered(yield* owners.Delete(phone_number_id, { trace_id: traceId, claim, environment_id, id }))
      }),

      resetInviteLink: Effect.fnUntraced(function* ({ caller, claim, params, traceId }) {
        const { environment_id, id, phone_number_id } = yield* found(caller.environment_id, params.group_id)
        return answered(yield* owners.ResetLink(phone_number_id, { trace_id: traceId, claim, environment_id, id }))
      }),

      simulateParticipant: Effect.fnUntraced(function* ({ body, caller, now, params, traceId }) {
        const { environment_id, id, phone_number_id } = yield* found(caller.environment_id, params.group_id)
        return answered(
          yield* owners.Participate(phone_number_id, {
            trace_id: traceId,
            environment_id,
            id,
            chat_id: body.chat_id,
            action: body.action,
            initiated_by: body.initiated_by ?? "participant",
            at: wholeSecond(now),
            is_simulated: true
          })
        )
      })
    })
  })
).pipe(Layer.merge(inviteTails))
