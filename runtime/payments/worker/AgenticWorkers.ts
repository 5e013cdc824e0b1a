import type { OwnerHandle } from "@carteiro/owners/Owner.ts"
import { type Ended, makeOwnerQueues, type QueueKind, type QueueRow, QueueRows } from "@carteiro/owners/Queue.ts"
import { type Queued, queued } from "@carteiro/owners/Worker.ts"
import { AgenticPlatform } from "@carteiro/provider/payments/AgenticProvider.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import { PaymentsConnections } from "../../provider-connections/ProviderConnections.ts"
import { isForeign, judgePayment, type PaymentSeen, type PaymentTask } from "../agentic/AgenticPayment.ts"
import { AgenticRepo } from "../agentic/AgenticRepo.ts"
import { recordAuthorization, recordPayment, reserveAuthorization, reservePayment } from "../agentic/AgenticWrites.ts"
import { type AuthorizationSeen, type AuthorizationTask, isOver, judgeAuthorization } from "../agentic/Authorization.ts"
import { endPayment } from "../agentic/EndPayment.ts"
import { AgenticWorker } from "./AgenticWorker.ts"
import { lookAtAuthorization, lookAtPayment } from "./ProviderLooks.ts"
import { sandboxAuthorization, sandboxPayment } from "./SandboxAgentic.ts"

/** One step at the provider. */
type Task =
  | { readonly kind: "authorization"; readonly task: AuthorizationTask }
  | { readonly kind: "payment"; readonly task: PaymentTask }
type QueuedTask = QueueRow & Task

/** The result of a step. */
type Seen = AuthorizationSeen | PaymentSeen

/** The most concurrent steps of one environment. */
const parallel = 8
/** The timeout of a step, well below the time for which it is reserved. In milliseconds. */
const callMs = 40_000
const reservedMs = 60_000

type WorkerState = Queued<undefined, QueuedTask, Seen>

/** Hosts the owners. */
export const agenticWorkers = AgenticWorker.toLayer(
  Effect.gen(function* () {
    const repo = yield* AgenticRepo
    const connections = yield* PaymentsConnections
    const provider = yield* AgenticPlatform
    const endAtAccount = yield* endPayment.caller

    const look = Effect.fnUntraced(function* ({ kind, task }: Task, now: number): Effect.fn.Return<Seen> {
      const { environment_id, provider_connection_id } = task
      if (provider_connection_id === null) {
        return kind === "authorization" ? sandboxAuthorization(task) : sandboxPayment(task)
      }
      // An authorized authorization that is over by time needs no call; one that may still be authorized is looked up
      // once more.
      if (kind === "authorization" && task.status === "authorized" && isOver(task, now)) return { _tag: "Untouched" }
      const connection = yield* connections.find(environment_id, provider_connection_id)
      if (provider === undefined || connection?.credential === undefined) return { _tag: "Unknown" }
      const account = {
        key: connection.credential,
        base_url: connection.agentic_api_base_url,
        participant_id: connection.default_participant_id,
        agent_id: connection.agent_id
      }
      return yield* kind === "authorization"
        ? lookAtAuthorization(provider, account, task)
        : lookAtPayment(provider, account, task)
    })

    /** Returns the row of an authorization, or of a payment that continues. */
    const recordRow = ({ at, result, row }: Ended<QueuedTask, Seen>, owner: OwnerHandle): Row | undefined => {
      const { environment_id, id } = row.task
      if (row.kind === "authorization") {
        const after = judgeAuthorization(row.task, result as AuthorizationSeen, at)
        if (after.due_at !== null) owner.dueAt(after.due_at)
        return recordAuthorization.row({ environment_id, id, was: row.task.status, ...after, at, updated_at: at })
      }
      const judged = judgePayment(row.task, result as PaymentSeen, at)
      if ("end" in judged) return undefined
      owner.dueAt(judged.progress.due_at)
      return recordPayment.row({ environment_id, id, at, ...judged.progress })
    }

    /**
     * Calls the account's act that ends a payment; when the account cannot be reached, the step is retried after its
     * reservation.
     */
    const endAt = ({ at, result, row }: Ended<QueuedTask, Seen>) => {
      if (row.kind !== "payment") return Effect.void
      const judged = judgePayment(row.task, result as PaymentSeen, at)
      if (!("end" in judged)) return Effect.void
      const { account_id, completion_reservation_id, id } = row.task
      const request = { id, completion_reservation_id, ...judged.end }
      return Effect.ignore(endAtAccount(account_id, request))
    }

    const kind: QueueKind<WorkerState, undefined, QueuedTask, Seen> = {
      ahead: 0,
      writeAtOnce: 32,
      retryMs: 1000,
      drainMs: 4000,
      callMs,
      makeRows: () => new QueueRows(parallel, true),
      terms: () => undefined,
      destination: () => "pixprov1",
      read: (_state, owner, { rows }) =>
        Effect.map(
          Effect.all([
            repo.dueAuthorizations(owner.id, owner.now(), rows),
            repo.duePayments(owner.id, owner.now(), rows)
          ]),
          ([authorizations, payments]) => soonest(authorizations, payments, rows)
        ),
      reserve: (rows, _state, owner) => {
        const at = owner.now()
        const units = rows.map(({ kind, task: { environment_id, id, step } }) => {
          const row = { environment_id, id, was: step, at, due_at: at + reservedMs }
          return { rows: [kind === "authorization" ? reserveAuthorization.row(row) : reservePayment.row(row)] }
        })
        return Effect.map(owner.commit(units), ({ keys }) => {
          const reserved = new Set([...keys(reserveAuthorization.name), ...keys(reservePayment.name)])
          return rows.filter(({ id }) => reserved.has(id))
        })
      },
      call: (row, _state, owner) => look(row, owner.now()),
      trace: ({ id, kind, task: { environment_id, trace_id } }, _state, owner) => ({
        name: `agentic ${kind}`,
        traceId: trace_id,
        attributes: {
          "carteiro.environment_id": environment_id,
          "carteiro.owner.type": "AgenticWorker",
          "carteiro.owner.id": owner.id,
          "carteiro.payment_id": id
        }
      }),
      broken: () => ({ _tag: "Unknown" }),
      end: Effect.fnUntraced(function* (batch, _state, owner) {
        const foreign = batch.filter(
          ({ result, row }) => row.kind === "payment" && isForeign(row.task, result as PaymentSeen)
        )
        if (foreign.length > 0) {
          const named = foreign.map(({ row }) => row.id)
          yield* Effect.logError("a provider's payment is not the one asked for", { payments: named })
        }
        const rows = batch.flatMap((ended) => recordRow(ended, owner) ?? [])
        if (rows.length > 0) yield* owner.record(rows.map((row) => ({ rows: [row] })))
        // A notice about one of them may have arrived meanwhile.
        owner.dueAt(owner.now() + 1)
        yield* Effect.forEach(batch, endAt, { concurrency: "unbounded", discard: true })
        return true
      })
    }
    const queueOf = yield* makeOwnerQueues(kind)

    return queued(queueOf)
  })
)

/** Tasks of one kind that are due, and when the next one is. */
interface DueTasks<T> {
  readonly tasks: ReadonlyArray<T>
  readonly next: number | undefined
}

/** Returns the tasks of both kinds that were due first, at most that many, and when the next one is due. */
const soonest = (authorizations: DueTasks<AuthorizationTask>, payments: DueTasks<PaymentTask>, most: number) => {
  const due: ReadonlyArray<QueuedTask> = [
    ...authorizations.tasks.map((task) => ({ id: task.id, bytes: 0, kind: "authorization" as const, task })),
    ...payments.tasks.map((task) => ({ id: task.id, bytes: 0, kind: "payment" as const, task }))
  ]
  const nexts = [authorizations.next, payments.next].filter((at) => at !== undefined)
  return {
    rows: due.toSorted((one, other) => one.task.due_at - other.task.due_at).slice(0, most),
    next: nexts.length === 0 ? undefined : Math.min(...nexts)
  }
}
