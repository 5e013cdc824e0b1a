import { Context, type Effect } from "effect"

/** An e-mail; its id makes the Message-ID, so that one that comes twice is known as the same. */
export interface Email {
  readonly id: string
  readonly to: ReadonlyArray<string>
  readonly subject: string
  readonly text: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** The result of handing an e-mail over. */
export type MailResult =
  /** Taken for one of its recipients at least. */
  | { readonly _tag: "Sent" }
  /** Definitely refused: another try changes nothing. */
  | { readonly _tag: "Refused"; readonly reason: string }
  /** No usable answer, or one that says to come again. */
  | { readonly _tag: "Failed"; readonly reason: string }

/** Port to whoever delivers e-mails. Boot contract, `CARTEIRO_SMTP_URL` */
export interface MailDelivery {
  readonly send: (email: Email) => Effect.Effect<MailResult>
}

/** Where e-mails of this installation go; undefined where nobody takes them, and they wait. */
export const MailSender = Context.Reference<MailDelivery | undefined>("@carteiro/provider/mail/MailSender", {
  defaultValue: () => undefined
})
