import { type Batch, BatchStatus } from "@carteiro/schema/batches/Batch.ts"
import { BatchNotFound } from "@carteiro/schema/batches/BatchErrors.ts"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { BatchDirectory } from "../../batches/Operator.ts"
import { facts, print, table } from "../kit/Output.ts"
import { environment, foundEnvironment, idArgument, limit, orUndefined } from "../kit/Parameters.ts"

const id = idArgument("batch", "Id of the batch", "bat_…")
const status = Flag.Literals("status", BatchStatus.literals).pipe(Flag.withDescription("Only these"), Flag.optional)

const first = limit.pipe(Flag.withDescription("At most so many, in the order in which they were given"))

const list = Command.make("list", { environment, status, limit }, ({ environment, limit, status }) =>
  Effect.gen(function* () {
    yield* foundEnvironment(environment)
    const data = yield* (yield* BatchDirectory).list(environment, { status: orUndefined(status) }, limit)
    const rows = data.map((batch) => [
      batch.id,
      batch.created_at,
      batch.status,
      batch.recipient_count,
      batch.sent_count,
      batch.read_count,
      batch.failed_count,
      batch.name ?? batch.template.name
    ])
    const columns = ["id", "created_at", "status", "recipients", "sent", "read", "failed", "name"]
    yield* print({ data }, table(columns, rows, "no batches"))
  })
).pipe(Command.withDescription("List batches of an environment, newest first"))

const show = Command.make("show", { environment, id }, ({ environment, id }) =>
  Effect.gen(function* () {
    yield* foundEnvironment(environment)
    const batch = (yield* (yield* BatchDirectory).find(environment, id)) ?? (yield* new BatchNotFound())
    yield* print(batch, facts(shown(batch)))
  })
).pipe(Command.withDescription("Show one batch and how far it has come"))

const failures = Command.make("failures", { environment, id, limit: first }, ({ environment, id, limit }) =>
  Effect.gen(function* () {
    yield* foundEnvironment(environment)
    const found = yield* (yield* BatchDirectory).failures(environment, id, limit)
    const data = found ?? (yield* new BatchNotFound())
    const lines = data.map(({ error_code, error_message, failed_at, guard_reason, to }) => [
      to ?? "erased",
      failed_at ?? "",
      error_code ?? "",
      guard_reason ?? "",
      error_message ?? ""
    ])
    yield* print({ data }, table(["recipient", "failed_at", "error", "guard", "message"], lines, "no failures"))
  })
).pipe(Command.withDescription("List the recipients a batch failed for, in the order in which they were given"))

const shown = (batch: Batch) => ({
  id: batch.id,
  name: batch.name,
  status: batch.status,
  template: `${batch.template.name} ${batch.template.language}`,
  sender: batch.sender.id,
  recipients: batch.recipient_count,
  enqueued: batch.enqueued_count,
  sent: batch.sent_count,
  delivered: batch.delivered_count,
  read: batch.read_count,
  failed: batch.failed_count,
  skipped_by_guards: batch.recipient_guard_skipped_count,
  cancelled: batch.cancelled_count,
  failure: batch.failure?.code,
  scheduled_at: batch.scheduled_at,
  created_at: batch.created_at,
  updated_at: batch.updated_at,
  trace_id: batch.trace_id
})

/** Batches of one environment. M-BAT-08..11, M-BAT-24 */
export const batches = Command.make("batches").pipe(Command.withSubcommands([list, show, failures]))
