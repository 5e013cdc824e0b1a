import type { Language } from "@carteiro/schema/conventions/Language.ts"
import { Context, Effect } from "effect"

/** A person who decides for an organization, by the address and the language of e-mails. */
export interface MailRecipient {
  readonly email: string
  readonly language: Language
}

/** The people who decide for an organization, from the room that knows them; read as an e-mail leaves. */
export const MailRecipients = Context.Reference<
  (organizationId: string) => Effect.Effect<ReadonlyArray<MailRecipient>>
>("@carteiro/runtime/mail/MailRecipients", { defaultValue: () => () => Effect.succeed([]) })
