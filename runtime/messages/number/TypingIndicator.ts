import type { Caller } from "@carteiro/http-edge/Admission.ts"
import { ConnectedChat } from "@carteiro/provider/ChatProvider.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { ProviderError } from "@carteiro/schema/conventions/SharedErrors.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import type { TypingIndicator } from "@carteiro/schema/messages/Message.ts"
import { InvalidMessageRequest, SenderPhoneNumberUnavailable } from "@carteiro/schema/messages/MessageErrors.ts"
import { Context, Effect, Layer } from "effect"
import { NumberDirectory } from "../../phone-numbers/PhoneNumbers.ts"
import type { MessageRow } from "../message/MessageRead.ts"

/** How long the customer sees the typing indicator, in milliseconds. gaps-2 B "Typing indicator" */
const shownMs = 25_000

/** The timeout of the provider's call, in milliseconds. gaps-2 B "Typing indicator" */
const callMs = 5000

/**
 * Shows a customer that an answer is being written, and marks their message as read: the only provider call for which a
 * request waits. A sandbox simulates it without any call. gaps-2 B "Typing indicator", gaps-2 E "Who calls the
 * upstream"
 */
export class Typing extends Context.Service<
  Typing,
  {
    /** `now` in epoch milliseconds. */
    show(
      message: MessageRow,
      caller: Pick<Caller, "environment" | "environment_id">,
      now: number
    ): Effect.Effect<Omit<TypingIndicator, "trace_id">, ApiError>
  }
>()("@carteiro/runtime/messages/number/Typing") {
  static readonly layer = Layer.effect(
    Typing,
    Effect.gen(function* () {
      const numbers = yield* NumberDirectory
      const connected = yield* ConnectedChat

      const tellProvider = Effect.fnUntraced(function* (message: MessageRow) {
        const { business_id, channel, environment_id, provider_message_id } = message
        const connection = yield* connected({ environment_id, channel, business_id })
        if (connection._tag === "Unavailable" || provider_message_id === null) return yield* new ProviderError()
        const answer = yield* connection.provider.acknowledge(provider_message_id, true)
        return answer._tag === "Done" ? undefined : yield* new ProviderError()
      })

      return Typing.of({
        show: Effect.fnUntraced(function* (message, caller, now) {
          if (message.direction === "outbound" || message.channel !== "chatapp") {
            return yield* new InvalidMessageRequest({
              param: "message_id",
              message: "Only a customer's message on chatapp shows that somebody is typing."
            })
          }
          const number = yield* numbers.find(caller.environment_id, message.business_id)
          if (number?.status !== "active") return yield* new SenderPhoneNumberUnavailable({ param: "message_id" })
          if (caller.environment === "production") {
            yield* Effect.timeoutOrElse(tellProvider(message), {
              duration: callMs,
              orElse: () => Effect.fail(new ProviderError())
            })
          }
          return {
            id: message.id,
            object: "typing_indicator" as const,
            message_id: message.id,
            expires_at: formatTimestamp(now + shownMs)
          }
        })
      })
    })
  )
}
