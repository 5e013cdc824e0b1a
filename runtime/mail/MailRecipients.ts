import { Context, Effect } from "effect"

/** Addresses of the people who decide for an organization, told by the room that knows them; asked as an e-mail leaves. */
export const MailRecipients = Context.Reference<(organizationId: string) => Effect.Effect<ReadonlyArray<string>>>(
  "@carteiro/runtime/mail/MailRecipients",
  { defaultValue: () => () => Effect.succeed([]) }
)
