import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import {
  type Ended,
  type GatheredPasses,
  gatheringPasses,
  makeOwnerQueues,
  type OwnerQueue,
  PassesApart,
  type QueueKind,
  type QueueRow,
  QueueRows
} from "@carteiro/owners/Queue.ts"
import { PixProviders, pixProviderOf } from "@carteiro/provider/payments/PixProvider.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import { Outbox } from "../../outbox/Outbox.ts"
import { type PaymentsConnection, PaymentsConnections } from "../../provider-connections/ProviderConnections.ts"
import { finishPayment, learnt } from "../payment/FinishPayment.ts"
import { linkRows, madeLink } from "../payment/MadeLink.ts"
import { PaymentRepo } from "../payment/PaymentRepo.ts"
import {
  isAnothers,
  judgePaymentRequest,
  type PaymentJudgement,
  type PaymentSeen,
  type PaymentTask
} from "../payment/PaymentTask.ts"
import { recordPaymentRequest, reservePaymentRequest } from "../payment/PaymentWorkWrites.ts"
import { lookAtPaymentRequest } from "./PaymentLook.ts"
import { PaymentWorker } from "./PaymentWorker.ts"

interface QueuedTask extends QueueRow {
  readonly task: PaymentTask
  /** The account that the payment uses, read once for all payments of one pass that use it. */
  readonly connection?: PaymentsConnection | undefined
}

/** The most concurrent payments of one environment. */
const parallel = 64
/** The timeout of a step, well below the time for which it is reserved. In milliseconds. */
const callMs = 50_000
const reservedMs = 75_000

interface WorkerState {
  readonly queue: OwnerQueue<WorkerState, undefined, QueuedTask, PaymentSeen>
  readonly gathered: GatheredPasses
}

/** A look-up and its decision, with its task. */
interface Judged {
  readonly task: PaymentTask
  readonly at: number
  readonly judgement: PaymentJudgement
}

/** Hosts the owners. */
export const paymentWorkers = PaymentWorker.toLayer(
  Effect.gen(function* () {
    const repo = yield* PaymentRepo
    const connections = yield* PaymentsConnections
    const providers = yield* PixProviders
    const finish = yield* finishPayment.caller
    const making = { outbox: yield* Outbox, secrets: yield* Secrets, publicUrl: yield* PublicUrl }
    const gathering = gatheringPasses(yield* PassesApart)

    const look = ({ connection, task }: QueuedTask): Effect.Effect<PaymentSeen> => {
      const provider = connection && pixProviderOf(providers, connection)
      if (provider === undefined || connection?.credential === undefined) {
        return Effect.succeed({ charge: { _tag: "Unsent" } })
      }
      const receiver = `${making.publicUrl()}/webhooks/${connection.provider}/${connection.id}`
      const notice_url = provider.notices?.url(receiver, connection.webhook_secret) ?? null
      return lookAtPaymentRequest(provider, connection.credential, task, notice_url)
    }

    /** Returns the accounts that payments use, by their ids. */
    const connectionsOf = (environmentId: string, rows: ReadonlyArray<QueuedTask>) => {
      const ids = new Set(rows.flatMap(({ task }) => task.provider_connection_id ?? []))
      return Effect.forEach(ids, (id) =>
        Effect.map(connections.find(environmentId, id), (connection) => [id, connection] as const)
      )
    }

    /** Returns the rows of a decision; undefined for an end, which the account decides. */
    const rowsOf = ({ at, judgement, task }: Judged, owner: OwnerHandle): ReadonlyArray<Row> | undefined => {
      switch (judgement._tag) {
        case "End":
          return undefined
        case "Link":
          owner.dueAt(judgement.due_at)
          return linkRows(making, task, madeLink(making, task, judgement.charge), at, judgement.due_at)
        case "Progress": {
          const { environment_id, id } = task
          const { is_approved, ...progress } = judgement.progress
          if (progress.due_at !== null) owner.dueAt(progress.due_at)
          const was = { approval_was: task.approval_due, cancel_was: task.cancel_due }
          return [recordPaymentRequest.row({ environment_id, id, ...progress, ...was, is_approved, at })]
        }
      }
    }

    /**
     * Calls the account's act that ends a payment; when the account cannot be reached, the step is retried after its
     * reservation.
     */
    const endAt = ({ judgement, task }: Judged) => {
      if (judgement._tag !== "End") return Effect.void
      const { account_id, completion_reservation_id, id } = task
      const request = { ...learnt, id, completion_reservation_id, ...judgement.end }
      return Effect.ignore(finish(account_id, request))
    }

    const kind: QueueKind<WorkerState, undefined, QueuedTask, PaymentSeen> = {
      ahead: 0,
      writeAtOnce: parallel,
      retryMs: 1000,
      drainMs: 4000,
      callMs,
      makeRows: () => new QueueRows(parallel, true),
      terms: () => undefined,
      destination: () => "pix",
      read: (_state, owner, { rows }) =>
        Effect.map(repo.dueInProduction(owner.id, owner.now(), rows), ({ due, next }) => ({
          rows: due.map((task) => ({ id: task.id, bytes: 0, task })),
          next
        })),
      reserve: (rows, _state, owner) => {
        const at = owner.now()
        const units = rows.map(({ task: { environment_id, id, step } }) => ({
          rows: [reservePaymentRequest.row({ environment_id, id, was: step, at, due_at: at + reservedMs })]
        }))
        return Effect.map(
          Effect.all([owner.commit(units), connectionsOf(owner.id, rows)], { concurrency: 2 }),
          ([{ keys }, found]) => {
            const reserved = keys(reservePaymentRequest.name)
            const byId = new Map(found)
            return rows
              .filter(({ id }) => reserved.has(id))
              .map((row) => ({ ...row, connection: byId.get(row.task.provider_connection_id ?? "") }))
          }
        )
      },
      call: look,
      trace: traceOf,
      broken: () => ({ charge: { _tag: "Unknown" } }),
      end: Effect.fnUntraced(function* (batch, _state, owner) {
        yield* alert(batch)
        const judged = batch.map(({ at, result, row: { task } }): Judged => {
          const judgement = judgePaymentRequest(task, result, at)
          return { task, at, judgement }
        })
        const units = judged.flatMap((one) => {
          const rows = rowsOf(one, owner)
          return rows === undefined ? [] : [{ rows }]
        })
        if (units.length > 0) yield* owner.record(units)
        // A notice about one of them may have arrived meanwhile.
        owner.dueAt(owner.now() + 1)
        yield* Effect.forEach(judged, endAt, { concurrency: "unbounded", discard: true })
        return true
      })
    }
    const queueOf = yield* makeOwnerQueues(kind)

    return {
      keep: (worker: OwnerHandle, before: WorkerState | undefined): WorkerState => {
        const state = {
          queue: before?.queue ?? queueOf(worker),
          gathered: before?.gathered ?? gathering()
        }
        state.queue.follow(worker, state)
        return state
      },
      pass: (state: WorkerState, worker: OwnerHandle) => state.gathered(state.queue.pass(state, worker))
    }
  })
)

/** Reports payments of a provider that are not the ones asked for. */
const alert = (batch: ReadonlyArray<Ended<QueuedTask, PaymentSeen>>) => {
  const named = batch.filter(({ result, row }) => isAnothers(row.task, result)).map(({ row }) => row.id)
  return named.length === 0
    ? Effect.void
    : Effect.logError("a provider's payment is not the one asked for", { payments: named })
}

const traceOf: NonNullable<QueueKind<WorkerState, undefined, QueuedTask, PaymentSeen>["trace"]> = (
  { id, task: { environment_id, provider, step, trace_id } },
  _state,
  owner
) => ({
  name: `${step} payment`,
  traceId: trace_id,
  attributes: {
    "carteiro.environment_id": environment_id,
    "carteiro.owner.type": "PaymentWorker",
    "carteiro.owner.id": owner.id,
    "carteiro.payment_id": id,
    "carteiro.provider": provider
  }
})
