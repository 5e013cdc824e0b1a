import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { InvalidMessageRequest } from "@carteiro/schema/messages/MessageErrors.ts"
import { contentOf, type OutboundContent, type SendMessage } from "@carteiro/schema/messages/SendMessage.ts"
import type { Channel } from "@carteiro/schema/messages/Vocabulary.ts"
import { Result } from "effect"
import { type Customer, type PhoneRefusal, readRecipient } from "../message/Recipient.ts"
import { readScenario, type Scenario } from "../sandbox/SandboxScenario.ts"

/** A body of POST /v1/messages after every check that needs no lookup. M-MSG-15..25 */
export interface SendRequest {
  readonly channel: Channel
  /** The phone number or connected account named by `sender.id`, not yet looked up. */
  readonly business_id: string
  readonly customer: Customer
  readonly content: OutboundContent
  readonly scenario: Scenario
  readonly reply_to: string | undefined
  readonly metadata_json: string | null
}

/**
 * Reads a decoded body, or refuses it before any message or idempotency record exists: the recipient first, then the
 * sandbox scenario, as the fields stand in the contract. M-RCP-04, M-RCP-05
 */
export const readSend = (
  environment: EnvironmentKind,
  body: SendMessage
): Result.Result<SendRequest, PhoneRefusal | InvalidMessageRequest> => {
  const customer = readRecipient(body.recipient)
  if (Result.isFailure(customer)) return Result.fail(customer.failure)
  const scenario = readScenario(environment, body.metadata, body.message.type)
  if (Result.isFailure(scenario)) return Result.fail(scenario.failure)
  return Result.succeed({
    channel: body.channel,
    business_id: body.sender.id,
    customer: customer.success,
    content: contentOf(body),
    scenario: scenario.success,
    reply_to: body.reply_to?.message_id,
    metadata_json: body.metadata ? JSON.stringify(body.metadata) : null
  })
}
