import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import type { ReactionContent } from "@carteiro/schema/messages/content/ReactionContent.ts"
import {
  ReactionTargetExpired,
  ReactionTargetInvalid,
  ReactionTargetUnavailable,
  ReplyTargetNotFound
} from "@carteiro/schema/messages/MessageErrors.ts"
import type { Channel } from "@carteiro/schema/messages/Vocabulary.ts"
import { Result } from "effect"
import type { QuotedMessage } from "../facts/SendingFacts.ts"
import type { StoredReaction } from "../message/StoredContent.ts"

/** The oldest customer's message that may get a reaction, in milliseconds; equal is permitted. M-REACT-04, M-LIM-03 */
const oldestTargetMs = 30 * dayMs

/**
 * Returns the target of a reaction among the messages found under that id at the sending number or on another channel,
 * or the first refusal in order. `now` in epoch milliseconds. M-REACT-03..11, gaps-2 B "Reaction check order and
 * boundary"
 */
export const resolveReaction = (
  reaction: ReactionContent,
  conversation: { readonly channel: Channel; readonly customer_key: string },
  target: QuotedMessage | undefined,
  now: number
): Result.Result<StoredReaction, ApiError> => {
  const param = "message.reaction.message_id"
  const sameChannel = target?.channel === conversation.channel
  if (target === undefined || (sameChannel && target.customer_key !== conversation.customer_key)) {
    return Result.fail(new ReplyTargetNotFound({ param }))
  }
  if (!sameChannel || target.direction === "outbound" || target.type === "reaction") {
    return Result.fail(new ReactionTargetInvalid({ param }))
  }
  if (now - target.created_at > oldestTargetMs) return Result.fail(new ReactionTargetExpired({ param }))
  const { provider_message_id } = target
  return provider_message_id === null
    ? Result.fail(new ReactionTargetUnavailable({ param }))
    : Result.succeed({ ...reaction, provider_message_id })
}
