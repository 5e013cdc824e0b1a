import type { Caller } from "@carteiro/http-edge/Admission.ts"
import type { Claim } from "@carteiro/owners/Idempotency.ts"
import type { Capability } from "@carteiro/schema/conventions/Access.ts"
import { contentOf, type OutboundContent } from "@carteiro/schema/messages/content/OutboundContent.ts"
import type { InvalidMessageRequest } from "@carteiro/schema/messages/MessageErrors.ts"
import type { SendMessage } from "@carteiro/schema/messages/SendMessage.ts"
import { groupRecipientType, hiddenCustomerType } from "@carteiro/schema/messages/Vocabulary.ts"
import { JsonTextOf, jsonText, jsonTextOrNull, readJson } from "@carteiro/tables/StoredJson.ts"
import { Result, Schema } from "effect"
import { FileToSend, fileToSend, withAsset } from "../content/MessageFile.ts"
import { NamedThing, namedBy } from "../content/NamedThing.ts"
import { itemFields } from "../message/ItemFields.ts"
import type { Customer } from "../message/Recipient.ts"
import { readScenario, scenarios } from "../sandbox/SandboxScenario.ts"

/** One send as the edge passes it to the number's owner: decoded, admitted, with a validated phone. */
export const AcceptItem = Schema.Struct({
  ...itemFields,
  /** The group to which it goes; absent for a person. U-SND-11 */
  group_id: Schema.optionalKey(Schema.String),
  /** The platform's id that addresses the customer; absent for any other recipient. U-HID-02 */
  user_id: Schema.optionalKey(Schema.String),
  content: JsonTextOf<OutboundContent>(),
  scenario: Schema.Literals(scenarios),
  reply_to: Schema.UndefinedOr(Schema.String),
  /** The object that the content names and whose rows decide; absent for a plain text. */
  names: Schema.optional(NamedThing),
  /** Present when the project has reached its cap. */
  over_spend_cap: Schema.optionalKey(Schema.Literal(true)),
  /** Present for a batch whose credit ended after its acceptance. The edge refuses single sends. */
  credit_blocked: Schema.optionalKey(Schema.Literal(true)),
  /** The batch that feeds it, at its number's pace: such a send takes no token here. */
  batch_id: Schema.optionalKey(Schema.String),
  /** The file that must be ready before the message is sent. */
  file: Schema.optional(FileToSend)
})
export type AcceptItem = typeof AcceptItem.Type

/** The reasons for which its environment may spend no more. */
interface Spending extends Pick<Caller, "over_spend_cap"> {
  readonly credit_blocked: boolean
}

/** The parts of a POST /v1/messages request that its item needs. */
interface SendRequest {
  readonly caller: Pick<Caller, "environment" | "environment_id"> & Partial<Spending>
  readonly body: SendMessage
  readonly claim?: Claim
  readonly traceId: string
  readonly now: number
}

/**
 * Returns the item of a decoded body, or refuses its sandbox scenario. The recipient is read first, in the contract's
 * order of fields. M-MSG-15..25, M-RCP-04, M-RCP-05
 */
export const makeAcceptItem = (
  { body, caller, claim, now, traceId }: SendRequest,
  id: string,
  customer: Customer
): Result.Result<AcceptItem, InvalidMessageRequest> =>
  Result.map(readScenario(caller.environment, body.metadata, body.message.type), (scenario) => {
    const content = contentOf(body.message)
    return {
      id,
      environment_id: caller.environment_id,
      environment: caller.environment,
      channel: body.channel,
      type: content.type,
      customer_id: customer.id,
      customer_key: customer.key,
      ...(customer.type === hiddenCustomerType && { user_id: customer.key }),
      ...(customer.type === groupRecipientType && { group_id: customer.key }),
      content: jsonText(content),
      metadata: jsonTextOrNull(body.metadata),
      trace_id: traceId,
      created_at: now,
      claim,
      scenario,
      reply_to: body.reply_to?.message_id,
      names: content.type === "text" ? undefined : namedBy(content),
      file: content.type === "text" ? undefined : fileToSend(content, body.channel, body.sender.id),
      ...(caller.over_spend_cap && { over_spend_cap: true as const }),
      ...(caller.credit_blocked && { credit_blocked: true as const })
    }
  })

/**
 * Returns a family besides `messaging` that this body needs and the environment has switched off. gaps-2 A "Feature
 * families"
 */
export const switchedOff = (
  { message }: SendMessage,
  { capabilities_off }: Pick<Caller, "capabilities_off">
): Capability | undefined =>
  message.interactive?.type === "order_details" && capabilities_off.includes("payments") ? "payments" : undefined

/** Returns the item of a send with an inline file, once the bytes are an asset. */
export const withInline = (item: AcceptItem, asset_id: string, number: string): AcceptItem => {
  const content = withAsset(item.content, asset_id)
  return { ...item, content, file: fileToSend(readJson(content), item.channel, number) }
}
