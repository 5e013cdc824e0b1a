import type { Row } from "@carteiro/tables/Write.ts"
import { Effect } from "effect"
import { consumeFile, releaseFile, type SendFiles } from "../../media/Media.ts"
import type { DueMessage, NumberFacts } from "../facts/SendingFacts.ts"
import type { MessageState, Transition } from "../message/MessageState.ts"
import { subjectOf } from "../message/Recipient.ts"
import { assetOf, hasFile, type MessageFile } from "./MessageFile.ts"

/** Returns the holder of a message's file: the messages of a batch share one. */
const holderOf = ({ batch_id, id }: Pick<DueMessage, "batch_id" | "id">): string => batch_id ?? id

/**
 * Returns the state of the files of messages that may be due, by message; reads nothing when none has a file. M-DLV-07
 */
export const readFiles = (
  due: ReadonlyArray<DueMessage>,
  environment_id: string,
  files: SendFiles["Service"]
): Effect.Effect<ReadonlyMap<string, MessageFile>> => {
  const with_file = due.filter(({ content, status, type }) => status === "queued" && hasFile(type, content))
  if (with_file.length === 0) return Effect.succeed(noFiles)
  return Effect.map(
    files.prepared(environment_id, with_file.map(holderOf)),
    (prepared) => new Map(with_file.map((message) => [message.id, { prepared: prepared.get(holderOf(message)) }]))
  )
}

const noFiles: ReadonlyMap<string, MessageFile> = new Map()

/** The parts of a message's step that concern its file. */
interface FileStep {
  readonly file?: MessageFile | undefined
  readonly message: DueMessage
  readonly state: MessageState
  readonly transitions: ReadonlyArray<Transition>
}

/**
 * Returns the rows by which a step of a message changes its asset: consumed with the first acceptance, released when
 * the message will not be sent.
 */
export const fileRows = (progress: FileStep, number: NumberFacts, now: number): ReadonlyArray<Row> => {
  const { file, message, state, transitions } = progress
  const { environment_id } = number
  const holder = holderOf(message)
  const wasSent = transitions.some(({ event }) => event?.type === "message.sent" && event.details === null)
  if (wasSent) {
    const prepared = file?.prepared
    const asset_id = prepared?._tag === "Ready" ? prepared.asset_id : undefined
    if (typeof asset_id !== "string") return []
    const subject = message.batch_id === null ? subjectOf(message.channel, message.customer_key) : null
    return [
      consumeFile({
        environment_id,
        id: asset_id,
        holder,
        consumed_by_message_id: message.id,
        consumed_at: now,
        customer_type: subject?.type ?? null,
        customer_key: subject?.key ?? null
      })
    ]
  }
  const isOver = state.status === "cancelled" || (state.status === "failed" && state.error_code !== unknownOutcome)
  if (!isOver || transitions.length === 0 || message.batch_id !== null) return []
  const asset_id = assetOf(message.type, message.content)
  return asset_id === undefined ? [] : [releaseFile(environment_id, asset_id, holder)]
}

const unknownOutcome = "provider_send_result_missing"
