import { Context, Effect } from "effect"
import type { ChatCall } from "../ChatProvider.ts"
import type { ConnectedAccount } from "../TemplateProvider.ts"

/** A number that a business account has at the chat platform. */
export interface RegisteredNumber {
  readonly upstream_phone_number_id: string
  /** Whether a code sent to it came back. */
  readonly is_verified: boolean
  /** Whether messages can leave from it. */
  readonly is_registered: boolean
}

/** Port to the numbers of one business account: how one is added, verified by a text message, and registered. */
export interface NumberRegistrar {
  /** By its phone, in E.164; null when the account does not have it. */
  readonly find: (phone: string) => Effect.Effect<ChatCall<RegisteredNumber | null>>
  readonly add: (number: {
    readonly phone: string
    readonly display_name: string
  }) => Effect.Effect<ChatCall<{ readonly upstream_phone_number_id: string }>>
  /** Has a code sent to the number in a text message; again another one. */
  readonly requestCode: (upstreamPhoneNumberId: string) => Effect.Effect<ChatCall<void>>
  readonly verifyCode: (upstreamPhoneNumberId: string, code: string) => Effect.Effect<ChatCall<void>>
  /** `pin` has six digits; again with the same it changes nothing. */
  readonly register: (upstreamPhoneNumberId: string, pin: string) => Effect.Effect<ChatCall<void>>
}

/** Finds the account of an environment that its numbers are registered with; undefined when it has none. gaps-2 E "Choice of connection" */
export const ConnectedRegistrar = Context.Reference<
  (environment_id: string) => Effect.Effect<ConnectedAccount<NumberRegistrar> | undefined>
>("@carteiro/provider/numbers/ConnectedRegistrar", { defaultValue: () => () => Effect.succeed(undefined) })
