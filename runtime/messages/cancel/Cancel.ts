import { commitThen, type Decision, type OwnerHandle, refuse } from "@carteiro/owners/Owner.ts"
import { MessageNotCancellable, MessageNotFound } from "@carteiro/schema/messages/MessageErrors.ts"
import { Effect } from "effect"
import type { NumberFacts } from "../facts/SendingFacts.ts"
import type { SendingRepo } from "../facts/SendingRepo.ts"
import type { CountMessage } from "../message/MessageMetrics.ts"
import { messageText } from "../message/MessageText.ts"
import { subjectsOf } from "../message/Recipient.ts"
import { type ProgressDeps, writeProgress } from "../send/ProgressUnit.ts"
import { beginProgress, cancelTurn } from "../send/SendProgress.ts"
import type { CancelItem } from "./CancelItem.ts"
import type { CancelledMessage, CancelRepo } from "./CancelRepo.ts"

/** The facts that decide the cancelling of a batch. */
export interface CancelFacts {
  readonly number: NumberFacts | undefined
  readonly messages: ReadonlyMap<string, CancelledMessage>
}

/** Reads the messages of a batch; `numberId` is the number of the owner that reads. */
export const readCancelFacts = (
  items: ReadonlyArray<CancelItem>,
  numberId: string,
  repo: SendingRepo["Service"],
  messages: CancelRepo["Service"]
): Effect.Effect<CancelFacts> =>
  Effect.flatMap(repo.readFacts(numberId, [], [], []), ({ number }) =>
    number === undefined
      ? Effect.succeed<CancelFacts>({ number, messages: new Map() })
      : Effect.map(messages.find(numberId, items), (found) => ({ number, messages: found }))
  )

interface CancelDeps extends ProgressDeps {
  readonly count: CountMessage
}

/**
 * Cancels messages that still wait, held ones included. A cancelled message does not change; any later status is a
 * conflict, and so is a message that was sent according to a stored report. The response text is the message after the
 * commit. gaps-2 B "Cancel a message"
 */
export const cancelAll = (
  items: ReadonlyArray<CancelItem>,
  facts: CancelFacts,
  owner: OwnerHandle,
  now: number,
  deps: CancelDeps
): ReadonlyArray<Decision<string>> => items.map((item) => cancelOne(item, facts, owner, now, deps))

const cancelOne = (
  item: CancelItem,
  { messages, number }: CancelFacts,
  owner: OwnerHandle,
  now: number,
  deps: CancelDeps
): Decision<string> => {
  const found = messages.get(item.id)
  if (found?.row.environment_id !== item.environment_id || number === undefined) return refuse(new MessageNotFound())
  const { due, isReported, row } = found
  const isWaiting = row.status === "queued" && !isReported
  if (!isWaiting && row.status !== "cancelled") return refuse(new MessageNotCancellable())
  const progress = cancelTurn(beginProgress(due), now)
  const unit = row.status === "queued" ? writeProgress(progress, number, owner.id, now, deps) : undefined
  const { status, status_reason } = progress.state
  const left =
    unit === undefined ? row : { ...row, status, status_reason, events_json: unit.message.events, updated_at: now }
  const text = messageText(left, item.environment)
  return commitThen({
    rows: unit?.rows ?? [],
    claim: item.claim,
    response: { status: 200, body: text },
    subjects: item.claim === undefined ? undefined : subjectsOf(row),
    settle: (_keys, passed) => {
      if (!passed) return { retry: "changed" }
      if (unit !== undefined) deps.count(number.environment, "outbound", "cancelled")
      return { ok: text }
    }
  })
}
