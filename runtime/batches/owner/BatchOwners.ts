import { answer, commitThen, type Decision, type OwnerHandle, refuse } from "@carteiro/owners/Owner.ts"
import type { BatchCommand } from "@carteiro/schema/batches/Batch.ts"
import { BatchNotFound, BatchStateConflict } from "@carteiro/schema/batches/BatchErrors.ts"
import { Effect } from "effect"
import { SpendStandings } from "../../access/Access.ts"
import { numberLimits, PhoneNumberEntity } from "../../messages/Messages.ts"
import { Rates } from "../../ratelimit/Rates.ts"
import { AudienceRepo } from "../audience/AudienceRepo.ts"
import { type BatchRow, readBatch } from "../batch/BatchRead.ts"
import { BatchRepo } from "../batch/BatchRepo.ts"
import { commandBatch } from "../batch/BatchState.ts"
import { moveBatch } from "../batch/BatchWrites.ts"
import { endCancelled } from "../feed/BatchCancel.ts"
import { type BatchLooks, feedBatch } from "../feed/BatchFeeder.ts"
import { moveOn, startBatch } from "../feed/BatchStart.ts"
import { type FeedFacts, FeedRepo } from "../feed/FeedRepo.ts"
import { BatchEntity, type CommandItem } from "./BatchEntity.ts"

export const batchOwners = BatchEntity.toLayer(
  Effect.gen(function* () {
    const repo = yield* BatchRepo
    const feed = yield* FeedRepo
    const audiences = yield* AudienceRepo
    const rates = yield* Rates
    const numbers = yield* PhoneNumberEntity.client

    const deps = {
      repo,
      feed,
      audiences,
      standings: yield* SpendStandings,
      accept: numbers.Accept,
      cancel: numbers.Cancel,
      limitsOf: ({ environment }: BatchRow, number: NonNullable<FeedFacts["number"]>) =>
        numberLimits(
          environment,
          number.throughput_plan,
          number.upstream_throughput_tier,
          rates[`phone_number.${environment}`].number
        )
    }

    const work = Effect.fnUntraced(function* (looks: BatchLooks, owner: OwnerHandle) {
      const found = yield* repo.load(owner.id)
      if (found === undefined || found.due_at === null) return undefined
      switch (found.status) {
        case "scheduled": {
          const starts = found.scheduled_at ?? 0
          return starts > owner.now() ? starts : yield* moveOn(found, "queued", owner)
        }
        case "queued":
          return yield* startBatch(found, owner, deps)
        case "processing":
          return yield* feedBatch(found, looks, owner, deps)
        case "cancelled":
          return yield* endCancelled(found, owner, deps)
        default:
          return undefined
      }
    })

    const commanded = (command: BatchCommand) => ({
      read: (_items: ReadonlyArray<CommandItem>, _looks: BatchLooks, owner: OwnerHandle) => repo.load(owner.id),
      decide: (
        items: ReadonlyArray<CommandItem>,
        found: BatchRow | undefined,
        _looks: BatchLooks,
        owner: OwnerHandle,
        now: number
      ) => items.map((item) => decide(item, found, command, owner, now))
    })

    return {
      load: (owner) =>
        Effect.sync((): BatchLooks => {
          // Work that was due before this owner came to this node is looked at as soon as it is loaded.
          owner.dueAt(owner.now() + 1)
          return { quiet: 0, seen: -1 }
        }),
      work,
      handlers: { Pause: commanded("pause"), Resume: commanded("resume"), Cancel: commanded("cancel") }
    }
  })
)

const decide = (
  { claim, environment_id }: CommandItem,
  found: BatchRow | undefined,
  command: BatchCommand,
  owner: OwnerHandle,
  now: number
): Decision<string> => {
  if (found === undefined || found.environment_id !== environment_id) return refuse(new BatchNotFound())
  const isStarted = found.position > 0 || found.claimed_to !== null
  const status = commandBatch({ ...found, isStarted }, command, now)
  if (status === undefined) return refuse(new BatchStateConflict())
  const isMoved = status !== found.status
  const resumed = found.resumed || command === "resume"
  const body = JSON.stringify(readBatch(isMoved ? { ...found, status, resumed, updated_at: now } : found))
  if (!isMoved && claim === undefined) return answer(body)
  const row = moveBatch.row({
    environment_id,
    id: found.id,
    from_status: found.status,
    status,
    resumes: command === "resume",
    due_at: dueAt(found, status, now),
    updated_at: now
  })
  return commitThen({
    rows: isMoved ? [row] : [],
    claim,
    response: { status: 200, body },
    settle: (_keys, passed) => {
      if (!passed) return { retry: "changed" }
      if (status !== "paused") owner.dueAt(now)
      return { ok: body }
    }
  })
}

const dueAt = ({ scheduled_at }: BatchRow, status: BatchRow["status"], now: number): number | null => {
  if (status === "paused") return null
  return status === "scheduled" ? scheduled_at : now
}
