import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { makeOwnerQueues, type OwnerQueue, type QueueKind, type QueueRow, QueueRows } from "@carteiro/owners/Queue.ts"
import { ConnectedGroups } from "@carteiro/provider/GroupProvider.ts"
import { systemBytes } from "@carteiro/secrets/RandomBytes.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import { Outbox } from "../../outbox/Outbox.ts"
import { NumberDirectory } from "../../phone-numbers/PhoneNumbers.ts"
import { GroupRepo } from "../group/GroupRepo.ts"
import type { GroupState } from "../group/GroupState.ts"
import { type CheckResult, checkEnded, checkLimitMs, checkStarted, readFailed } from "../participants/Eligibility.ts"
import { EligibilityRepo } from "../participants/EligibilityRepo.ts"
import { changeGroup, type GroupCallDeps, readFacts } from "./GroupCalls.ts"
import { type DueJob, GroupJobRepo } from "./GroupJobRepo.ts"
import { outcomeRows } from "./GroupOutcomes.ts"
import { type CallResult, lifeEnded, resetEnded, resetLimitMs } from "./GroupResult.ts"

type Result =
  | { readonly _tag: "Group"; readonly result: CallResult }
  | { readonly _tag: "Check"; readonly found: CheckResult }

interface QueuedJob extends QueueRow {
  readonly job: DueJob
}

/** The state of the owner of a number's groups. */
export interface GroupsState {
  readonly queue: OwnerQueue<GroupsState, undefined, QueuedJob, Result>
}

/**
 * The timeout of a call, well below the time for which its task is reserved; after it the result is unknown. In
 * milliseconds.
 */
const callMs = 30_000
const reservedMs = 60_000
/** How often a result is decided on, when its group changes while it is written. */
const tries = 5

/** Makes the queues of provider calls for the groups of a number. gaps-3 B "Production group calls" */
export const makeGroupQueues = Effect.gen(function* () {
  const jobs = yield* GroupJobRepo
  const groups = yield* GroupRepo
  const eligibilities = yield* EligibilityRepo
  const outbox = yield* Outbox
  const deps: GroupCallDeps = {
    numbers: yield* NumberDirectory,
    groups,
    connected: yield* ConnectedGroups,
    eligibilities,
    random: systemBytes(),
    publicUrl: yield* PublicUrl
  }

  const place = (job: DueJob) => ({ environment_id: job.environment_id, id: job.group_id })

  /** Returns the row that reserves a task before its call; undefined when the task has changed. */
  const startRow = Effect.fnUntraced(function* (job: DueJob, phoneNumberId: string, now: number) {
    if (job.kind === "check") {
      const known = yield* eligibilities.find(job.environment_id, phoneNumberId)
      if (known?.check?.state !== "queued") return undefined
      return eligibilities.save(checkStarted(known, Math.max(now + reservedMs, known.check.queued_at + checkLimitMs)))
    }
    const [group] = yield* groups.among([place(job)])
    return group === undefined ? undefined : startGroupRow(group, job, now)
  })

  const startGroupRow = (group: GroupState, job: DueJob, now: number): Row | undefined => {
    const until = now + reservedMs
    if (job.kind === "reset") {
      return group.reset?.state === "queued"
        ? groups.save({ ...group, reset: { ...group.reset, state: "sending", due_at: until } })
        : undefined
    }
    return group.life?.state === "queued"
      ? groups.save({ ...group, life: { ...group.life, state: "sending", due_at: until } })
      : undefined
  }

  /** Returns the rows that apply the result of a task to its group or check as it is now. */
  const resultRows = Effect.fnUntraced(function* (job: DueJob, result: Result, owner: OwnerHandle) {
    const now = owner.now()
    if (result._tag === "Check") {
      const known = yield* eligibilities.find(job.environment_id, owner.id)
      if (known?.check == null) return []
      const next = checkEnded(known, result.found, now)
      if (next.check !== null) owner.dueAt(next.check.due_at)
      return [eligibilities.save(next)]
    }
    const [group] = yield* groups.among([place(job)])
    if (group === undefined) return []
    const moved = job.kind === "reset" ? resetEnded(group, result.result, now) : lifeEnded(group, result.result, now)
    if (moved === undefined) return []
    const due = job.kind === "reset" ? moved.group.reset?.due_at : moved.group.life?.due_at
    if (due != null) owner.dueAt(due)
    return [groups.save(moved.group), ...outcomeRows(outbox, moved, now)]
  })

  /** Writes the result of a task; false when it could not be written. */
  const recordResult = Effect.fnUntraced(function* (job: DueJob, result: Result, owner: OwnerHandle) {
    for (let left = tries; left > 0; left--) {
      const rows = yield* resultRows(job, result, owner)
      if (rows.length === 0) return true
      const [status] = (yield* owner.record([{ rows }])).statuses
      if (status !== "refused") return status === "committed"
    }
    return false
  })

  const kind: QueueKind<GroupsState, undefined, QueuedJob, Result> = {
    ahead: 0,
    writeAtOnce: 16,
    retryMs: 1000,
    drainMs: 4000,
    callMs,
    // At most four tasks of a number run concurrently, and one of a kind for each group.
    makeRows: () => new QueueRows(4, true),
    terms: () => undefined,
    // Messages use this platform as well.
    destination: () => "chat",
    read: (_state, owner, { rows }) =>
      Effect.map(jobs.due(owner.id, owner.now(), rows), ({ due, next }) => ({
        rows: due.map((job) => ({ id: `${job.group_id}/${job.kind}`, bytes: 256, job })),
        next
      })),
    reserve: (rows, _state, owner) =>
      Effect.gen(function* () {
        const now = owner.now()
        // A task that was under way when its node stopped is not started again, because its result is unknown.
        const lost = rows.filter(({ job }) => job.wasStarted)
        const fresh = rows.filter(({ job }) => !job.wasStarted)
        const writes = yield* Effect.forEach(fresh, ({ job }) => startRow(job, owner.id, now))
        const ready = fresh.flatMap((row, at) => (writes[at] === undefined ? [] : [{ row, write: writes[at] }]))
        const { statuses } = yield* owner.record(ready.map(({ write }) => ({ rows: [write] })))
        return [...lost, ...ready.flatMap(({ row }, at) => (statuses[at] === "committed" ? [row] : []))]
      }),
    call: ({ job }, _state, owner) => {
      if (job.wasStarted) return Effect.succeed(broken(job))
      const overdue = owner.now() - job.requested_at
      if (job.kind === "check" && overdue > checkLimitMs)
        return Effect.succeed<Result>({ _tag: "Check", found: readFailed })
      if (job.kind === "reset" && overdue >= resetLimitMs) {
        return Effect.succeed<Result>({ _tag: "Group", result: { _tag: "RuledOut", code: "provider_error" } })
      }
      return job.kind === "check"
        ? Effect.map(readFacts(deps, owner.id, job), (found): Result => ({ _tag: "Check", found: found ?? readFailed }))
        : Effect.map(changeGroup(deps, owner.id, job), (result): Result => ({ _tag: "Group", result }))
    },
    broken: ({ job }) => broken(job),
    end: (batch, _state, owner) =>
      Effect.map(
        Effect.forEach(batch, ({ result, row }) => recordResult(row.job, result, owner)),
        (done) => done.every(Boolean)
      )
  }
  return yield* makeOwnerQueues(kind)
})

const broken = (job: DueJob): Result =>
  job.kind === "check" ? { _tag: "Check", found: readFailed } : { _tag: "Group", result: { _tag: "Unknown" } }
