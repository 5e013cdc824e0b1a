import type { StatusNotice } from "@carteiro/provider/ChatNotices.ts"
import { beginProgress, reportStatus, type SendProgress } from "../send/SendProgress.ts"
import type { NoticedMessage } from "./NoticedMessage.ts"
import { isRepeated, reportOf } from "./StatusReports.ts"

/** The progress of one pass's messages by reported statuses. */
export class ReportedStatuses {
  private readonly byProviderId = new Map<string, NoticedMessage>()
  private readonly byId = new Map<string, NoticedMessage>()
  private readonly reached = new Map<string, SendProgress>()
  private readonly seen = new Set<string>()

  constructor(messages: ReadonlyArray<NoticedMessage>) {
    for (const message of messages) {
      if (message.direction !== "outbound") continue
      this.byId.set(message.id, message)
      if (message.provider_message_id !== null) this.byProviderId.set(message.provider_message_id, message)
    }
  }

  /** Returns the id of a status's message; undefined for a message that is unknown, perhaps not yet stored. */
  messageIdOf(notice: StatusNotice): string | undefined {
    return this.messageOf(notice)?.id
  }

  /**
   * Applies all statuses of the pass, in any order of arrival. Those that prove that a copy was sent count before
   * failures, and copies that did not fail before those that did: the failure of one copy does not end a message whose
   * other copy was sent.
   */
  take(notices: ReadonlyArray<StatusNotice>, now: number): void {
    const failed = new Set(
      notices.flatMap(({ provider_message_id, status }) => (status === "failed" ? [provider_message_id] : []))
    )
    const rank = ({ provider_message_id, status }: StatusNotice) =>
      status === "failed" ? 2 : failed.has(provider_message_id) ? 1 : 0
    for (const notice of [...notices].sort((a, b) => rank(a) - rank(b))) this.takeOne(notice, now)
  }

  private takeOne(notice: StatusNotice, now: number): void {
    const message = this.messageOf(notice)
    if (message === undefined) return
    const before = this.reached.get(message.id) ?? { ...beginProgress(message), due_at: message.due_at }
    const key = `${message.id} ${notice.status}`
    // A recorded failure may concern another copy: while the message is on its way, its own copy has not failed before.
    const endsIt = notice.status === "failed" && isOnItsWay(before.state) && isOwnCopy(before.state, notice)
    if (!endsIt && (this.seen.has(key) || isRepeated(message.events, notice.status))) return
    this.seen.add(key)
    // The platform's own instant, unless its clock is ahead. U-STA-02
    this.reached.set(message.id, reportStatus(before, reportOf(notice), Math.min(notice.at ?? now, now)))
  }

  /** The changed messages, each with its environment. */
  get progress(): ReadonlyArray<{ readonly environment_id: string; readonly progress: SendProgress }> {
    return [...this.reached.values()].map((progress) => ({
      environment_id: this.byId.get(progress.message.id)?.environment_id ?? "",
      progress
    }))
  }

  /**
   * Returns the message by the provider's id, else by our id that the provider returned: the response to the send may
   * still be missing, or the status concerns a second copy that the provider made of the message.
   */
  private messageOf({ message_id, provider_message_id }: StatusNotice): NoticedMessage | undefined {
    const known = this.byProviderId.get(provider_message_id)
    return known ?? (message_id === null ? undefined : this.byId.get(message_id))
  }
}

const isOnItsWay = ({ status }: SendProgress["state"]): boolean =>
  status === "queued" || status === "sending" || status === "sent"

const isOwnCopy = (state: SendProgress["state"], { provider_message_id }: StatusNotice): boolean =>
  state.provider_message_id === provider_message_id
