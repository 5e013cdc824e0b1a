import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { InvalidMessageRequest } from "@carteiro/schema/messages/MessageErrors.ts"
import { isUserId } from "@carteiro/schema/messages/Vocabulary.ts"
import { PhoneNumberNotFound } from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import { Result } from "effect"
import { groupRefusal } from "../../groups/Groups.ts"
import type { SentContent } from "../content/SentContent.ts"
import { customerOf, type NumberFacts } from "../facts/SendingFacts.ts"
import { guardError, judgeMarketing } from "../guards/MarketingGuard.ts"
import { judgeSend, type ReplyTarget } from "./Acceptance.ts"
import type { AcceptItem } from "./AcceptItem.ts"
import type { AcceptedFacts } from "./TemplateLimits.ts"

/** A send that its number accepts. */
interface AcceptedItem {
  readonly own: NumberFacts
  readonly content: SentContent
}

/**
 * Judges a send by the facts of its batch; nothing is written. `resolved` is its content, `target` the message that it
 * replies to. Returns the number and the content of a send that passes.
 */
export const judgeSendItem = (
  item: AcceptItem,
  facts: AcceptedFacts,
  resolved: Result.Result<SentContent, ApiError>,
  target: ReplyTarget | undefined,
  takeToken: () => number | undefined,
  now: number
): Result.Result<AcceptedItem, ApiError> => {
  const { number } = facts
  const templateLimits = facts.limits.get(item.id)
  const own = number !== undefined && number.environment_id === item.environment_id ? number : undefined
  const customer = customerOf({ channel: item.channel, key: item.customer_key })
  const refusal = judgeSend(
    {
      channel: item.channel,
      type: item.type,
      sender: own,
      creditBlocked: item.credit_blocked === true,
      overSpendCap: item.over_spend_cap === true,
      group: item.group_id === undefined ? undefined : groupRefusal(facts.group(item.group_id), "recipient.id"),
      reply: item.reply_to === undefined ? undefined : { target },
      content: Result.isFailure(resolved) ? resolved.failure : undefined,
      optedOut: facts.optedOut.has(customer) || templateLimits?.optedOut === true,
      latestInboundAt: facts.windows.get(customer)
    },
    takeToken,
    now
  )
  if (refusal !== undefined) return Result.fail(refusal)
  if (own === undefined) return Result.fail(new PhoneNumberNotFound({ param: "sender.id" }))
  if (Result.isFailure(resolved)) return Result.fail(resolved.failure)
  const isPerson = item.group_id === undefined && !isUserId(item.customer_id)
  if (!isPerson && resolved.success.named?.template_category === "authentication") return Result.fail(needsPhone)
  const guard = templateLimits?.guards && judgeMarketing(templateLimits.guards.facts, now)
  return guard === undefined ? Result.succeed({ own, content: resolved.success }) : Result.fail(guardError(guard))
}

/** The platform sends no authentication template to a group, or to a customer whose phone it hides. U-HID-04, U-SND-11 */
const needsPhone = new InvalidMessageRequest({
  param: "recipient.type",
  message: "An authentication template goes to a phone number only: send it with recipient type phone_e164."
})

/** Takes no token: the send has one, or is paced elsewhere. */
export const noWait = () => undefined
