import { Context, Effect } from "effect"
import type { ChatCall } from "./ChatProvider.ts"
import type { ConnectedAccount } from "./TemplateProvider.ts"

/** A number of a business account at the chat platform. */
export interface RegisteredNumber {
  readonly upstream_phone_number_id: string
  /** True once a code sent to the number was confirmed. */
  readonly is_verified: boolean
  /** True when the number can send messages. */
  readonly is_registered: boolean
}

/** Port to the numbers of one business account: adding one, verifying it by a text message, and registering it. */
export interface NumberRegistrar {
  /** Finds a number by its phone in E.164; null when the account does not have it. */
  readonly find: (phone: string) => Effect.Effect<ChatCall<RegisteredNumber | null>>
  readonly add: (number: {
    readonly phone: string
    readonly display_name: string
  }) => Effect.Effect<ChatCall<{ readonly upstream_phone_number_id: string }>>
  /** Requests a code by text message; a repeated call sends another one. */
  readonly requestCode: (upstreamPhoneNumberId: string) => Effect.Effect<ChatCall<void>>
  readonly verifyCode: (upstreamPhoneNumberId: string, code: string) => Effect.Effect<ChatCall<void>>
  /** Registers the number. `pin` has six digits; repeating it changes nothing. */
  readonly register: (upstreamPhoneNumberId: string, pin: string) => Effect.Effect<ChatCall<void>>
}

/**
 * Returns the account of an environment that registers its numbers; undefined when it has none. gaps-2 E "Choice of
 * connection"
 */
export const ConnectedRegistrar = Context.Reference<
  (environment_id: string) => Effect.Effect<ConnectedAccount<NumberRegistrar> | undefined>
>("@carteiro/provider/ConnectedRegistrar", { defaultValue: () => () => Effect.succeed(undefined) })
