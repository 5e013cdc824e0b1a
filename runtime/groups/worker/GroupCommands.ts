import { reply } from "@carteiro/http-edge/Reply.ts"
import { answer, commitThen, type Decision, type OwnerHandle, refuse } from "@carteiro/owners/Owner.ts"
import { isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { GroupNotActive, GroupNotFound, GroupPhoneNumberNotEligible } from "@carteiro/schema/groups/GroupErrors.ts"
import { GroupParticipantJoined, GroupParticipantRemoved } from "@carteiro/schema/groups/GroupEvents.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer, Result } from "effect"
import { Outbox } from "../../outbox/Outbox.ts"
import { deleteGroup, newGroup, resetLink } from "../group/GroupLife.ts"
import { readGroup } from "../group/GroupRead.ts"
import { GroupRepo } from "../group/GroupRepo.ts"
import type { GroupDetail, GroupPlace, GroupState, MovedGroup } from "../group/GroupState.ts"
import { checkRequested, type EligibilityState, readEligibility, unchecked } from "../participants/Eligibility.ts"
import { EligibilityRepo } from "../participants/EligibilityRepo.ts"
import { type KnownParticipant, ParticipantRepo } from "../participants/ParticipantRepo.ts"
import { joinOrLeave, participantSubject } from "../participants/Participation.ts"
import type * as Items from "./GroupItems.ts"
import { outcomeRows } from "./GroupOutcomes.ts"
import { reported } from "./GroupResult.ts"
import { SandboxGroupsMs } from "./SandboxGroups.ts"

/** A participant's event with the stored group and participant. */
interface Participating {
  readonly group: GroupDetail | undefined
  readonly known: KnownParticipant
}

type GroupDecision = Decision<Items.StoredResponse>
type Eligibilities = ReadonlyMap<string, EligibilityState>

/**
 * Decisions of the owner of a number's groups. A row is written on the version that was read; otherwise the decision is
 * repeated.
 */
export class GroupCommands extends Context.Service<
  GroupCommands,
  {
    readGroups(items: ReadonlyArray<GroupPlace>): Effect.Effect<ReadonlyMap<string, GroupDetail>>
    /** Returns eligibilities by environment. */
    readEligibilities(
      phoneNumberId: string,
      items: ReadonlyArray<{ readonly environment_id: string }>
    ): Effect.Effect<Eligibilities>
    readParticipants(items: ReadonlyArray<Items.ParticipantItem>): Effect.Effect<ReadonlyArray<Participating>>
    create(owner: OwnerHandle, item: Items.CreateItem, known: EligibilityState | undefined, now: number): GroupDecision
    remove(owner: OwnerHandle, item: Items.GroupItem, group: GroupDetail | undefined, now: number): GroupDecision
    reset(owner: OwnerHandle, item: Items.GroupItem, group: GroupDetail | undefined, now: number): GroupDecision
    check(owner: OwnerHandle, item: Items.CheckItem, known: EligibilityState | undefined, now: number): GroupDecision
    participate(item: Items.ParticipantItem, participating: Participating | undefined, now: number): GroupDecision
    report(item: Items.ReportItem, group: GroupDetail | undefined, now: number): Decision<void>
  }
>()("@carteiro/runtime/groups/worker/GroupCommands") {
  static readonly layer = Layer.effect(
    GroupCommands,
    Effect.gen(function* () {
      const groups = yield* GroupRepo
      const eligibilities = yield* EligibilityRepo
      const participants = yield* ParticipantRepo
      const outbox = yield* Outbox
      const unitMs = yield* SandboxGroupsMs

      /** Returns when the worker handles a change: a sandbox has a delay. gaps-3 B "Sandbox worker timing" */
      const dueAt = (environment: GroupState["environment"], now: number) =>
        environment === "sandbox" ? now + unitMs : now

      const movedRows = (moved: MovedGroup, now: number) => [
        groups.save(moved.group),
        ...outcomeRows(outbox, moved, now)
      ]

      return GroupCommands.of({
        readGroups: (items) =>
          Effect.map(groups.among(items), (found) => new Map(found.map((group) => [group.id, group]))),

        readEligibilities: (phoneNumberId, items) =>
          Effect.map(
            Effect.forEach([...new Set(items.map(({ environment_id }) => environment_id))], (environmentId) =>
              eligibilities.find(environmentId, phoneNumberId)
            ),
            (found) => new Map(found.flatMap((known) => (known === undefined ? [] : [[known.environment_id, known]])))
          ),

        readParticipants: (items) =>
          Effect.gen(function* () {
            const found = new Map((yield* groups.among(items)).map((group) => [group.id, group]))
            return yield* Effect.forEach(items, (item) =>
              Effect.map(
                participants.known(item, item),
                (known): Participating => ({ group: found.get(item.id), known })
              )
            )
          }),

        create: (owner, item, known, now) => {
          if (known?.status === "not_eligible") return refuse(notEligible(known.reasons))
          const due_at = dueAt(item.environment, now)
          const group = newGroup({ ...item, phone_number_id: owner.id }, due_at)
          const value = shown(item, 202, { ...group, members: [], suspended_at: null })
          return written([groups.insert(group)], value, { owner, due_at, claim: item.claim, response: value })
        },

        remove: (owner, item, group, now) => {
          if (group === undefined) return refuse(new GroupNotFound())
          const due_at = dueAt(group.environment, now)
          const moved = deleteGroup(group, now, due_at)
          if (Result.isFailure(moved)) return refuse(moved.failure)
          const detail = detailOf(moved.success?.group ?? group, group)
          const value = shown(item, 202, detail)
          const rows = moved.success === undefined ? [] : movedRows(moved.success, now)
          const { members } = detail
          return written(rows, value, { owner, due_at, claim: item.claim, response: value, members })
        },

        reset: (owner, item, group, now) => {
          if (group === undefined) return refuse(new GroupNotFound())
          const due_at = dueAt(group.environment, now)
          const moved = resetLink(group, now, due_at)
          if (Result.isFailure(moved)) return refuse(moved.failure)
          const detail = detailOf(moved.success.group, group)
          const value = shown(item, 202, detail)
          const { members } = detail
          return written(movedRows(moved.success, now), value, {
            owner,
            due_at,
            claim: item.claim,
            response: value,
            members
          })
        },

        check: (owner, item, known, now) => {
          const due_at = dueAt(item.environment, now)
          const { environment, environment_id } = item
          const before = known ?? unchecked({ environment, environment_id, phone_number_id: owner.id })
          const asked = checkRequested(before, now, due_at)
          const value = answered(reply({ traceId: item.trace_id }, 202, readEligibility(asked)))
          return written([eligibilities.save(asked)], value, { owner, due_at, claim: item.claim, response: value })
        },

        participate: (item, found, now) => {
          const group = found?.group
          if (group === undefined) return refuse(new GroupNotFound())
          if (item.is_simulated && group.status !== "active") return refuse(new GroupNotActive())
          if (found === undefined || found.known.isRepeated) return answer(shown(item, 200, group))
          const after = joinOrLeave(group, found.known.membership, item, now)
          if (isApiError(after)) return refuse(after)
          const rows = [
            groups.save(after.group),
            ...participants.rows(group, item, after.membership),
            participationEvent(outbox, after.group, item, now)
          ]
          return written(rows, shown(item, 200, after.group))
        },

        report: ({ report }, group, now) => {
          if (group !== undefined && report._tag === "Suspension") {
            return written([groups.suspend(group, report.is_suspended, report.at)], undefined)
          }
          const moved = group === undefined || report._tag === "Suspension" ? undefined : reported(group, report, now)
          return moved === undefined ? answer(undefined) : written(movedRows(moved, now), undefined)
        }
      })
    })
  )
}

/** Returns the event of a reported join or removal. C-GPART-03 */
const participationEvent = (
  outbox: Outbox["Service"],
  group: GroupDetail,
  { action, at, chat_id, initiated_by, trace_id }: Items.ParticipantItem,
  now: number
): Row => {
  const { environment, environment_id, id, members, phone_number_id } = group
  const subject = participantSubject(chat_id)
  const facts = { environment_id, environment, source_id: id, subject, trace_id, at: now }
  const data = {
    group_id: id,
    phone_number_id,
    participant: { chat_id },
    participant_count: members.length,
    occurred_at: formatTimestamp(at)
  }
  return action === "join"
    ? outbox.event(GroupParticipantJoined, { ...facts, data })
    : outbox.event(GroupParticipantRemoved, { ...facts, data: { ...data, initiated_by } })
}

/** Writes a decision, and repeats it when another write was faster. */
const written = <A>(
  rows: ReadonlyArray<Row>,
  value: A,
  options: {
    readonly owner?: OwnerHandle
    readonly due_at?: number
    readonly claim?: Items.GroupItem["claim"]
    readonly response?: Items.StoredResponse
    /** The members that the response shows. */
    readonly members?: GroupDetail["members"]
  } = {}
): Decision<A> =>
  commitThen({
    rows,
    claim: options.claim,
    response: options.response,
    subjects: (options.members ?? []).flatMap(({ chat_id }) => participantSubject(chat_id) ?? []),
    settle: (_keys, passed) => {
      if (!passed) return { retry: "changed" }
      if (options.due_at !== undefined) options.owner?.dueAt(options.due_at)
      return { ok: value }
    }
  })

const shown = (item: { readonly trace_id: string }, status: number, group: GroupDetail): Items.StoredResponse =>
  answered(reply({ traceId: item.trace_id }, status, readGroup(group)))

const answered = ({ body, status }: Items.StoredResponse): Items.StoredResponse => ({ status, body })

const detailOf = (group: GroupState, { members, suspended_at }: GroupDetail): GroupDetail => ({
  ...group,
  suspended_at,
  members: group.status === "deleted" ? [] : members
})

const notEligible = (reasons: ReadonlyArray<string>) =>
  new GroupPhoneNumberNotEligible({
    message: `This phone number cannot host groups: ${reasons.join(", ")}.`,
    details: { reasons }
  })
