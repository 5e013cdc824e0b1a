import { makeOwnerQueues, type QueueKind, type QueueRow, QueueRows } from "@carteiro/owners/Queue.ts"
import { defineWorker, type Queued, queued } from "@carteiro/owners/Worker.ts"
import { ConnectedFlows } from "@carteiro/provider/FlowProvider.ts"
import { Effect } from "effect"
import { takeStep } from "./ProviderCalls.ts"
import { type ProviderTask, recordStep, type StepResult } from "./ProviderTask.ts"
import { ProviderTaskRepo, reserveWrite } from "./ProviderTaskRepo.ts"

/** The owner of one environment's provider calls for flows, by the environment's id; it decides nothing. */
export const FlowPublisherWorker = defineWorker("FlowPublisher")

/** A step that is due. */
interface QueuedTask extends QueueRow {
  readonly task: ProviderTask
}

type PublisherState = Queued<undefined, QueuedTask, StepResult>

/** The timeout of a step, well below the time for which it is reserved. In milliseconds. */
const callMs = 30_000
const reservedMs = 60_000

export const flowPublisherOwners = FlowPublisherWorker.toLayer(
  Effect.gen(function* () {
    const repo = yield* ProviderTaskRepo
    const connected = yield* ConnectedFlows

    const kind: QueueKind<PublisherState, undefined, QueuedTask, StepResult> = {
      ahead: 0,
      writeAtOnce: 64,
      retryMs: 1000,
      drainMs: 4000,
      callMs,
      // At most four steps of an environment run concurrently, one for each flow.
      makeRows: () => new QueueRows(4, true),
      terms: () => undefined,
      // Messages use this platform as well.
      destination: () => "chat",
      read: (_state, owner, { rows }) =>
        Effect.map(repo.due(owner.id, owner.now(), rows), ({ tasks, next }) => ({
          rows: tasks.map((task) => ({ id: task.id, bytes: task.flow_json.length, task })),
          next
        })),
      reserve: (rows, _state, owner) => {
        const now = owner.now()
        const units = rows.map(({ task }) => ({ rows: [repo.reserve(owner.id, task, now, now + reservedMs)] }))
        return Effect.map(owner.commit(units), ({ keys }) => {
          const reserved = keys(reserveWrite.name)
          return rows.filter(({ id }) => reserved.has(id))
        })
      },
      call: ({ task }, _state, owner) =>
        Effect.flatMap(connected(owner.id), (account) =>
          account === undefined
            ? Effect.succeed<StepResult>({ _tag: "NotConnected" })
            : takeStep(account.provider, task)
        ),
      broken: () => ({ _tag: "Failed" }),
      end: (batch, _state, owner) =>
        Effect.suspend(() => {
          const units = batch.map(({ at, result, row }) => {
            const outcome = recordStep(row.task, result, at)
            if (outcome.due_at !== null) owner.dueAt(outcome.due_at)
            return { rows: [repo.record(owner.id, row.task, outcome, at)] }
          })
          return Effect.as(owner.record(units), true)
        })
    }
    const queueOf = yield* makeOwnerQueues(kind)

    return queued(queueOf)
  })
)
