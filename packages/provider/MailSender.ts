import { Context, type Effect } from "effect"

/** An e-mail; its id makes the Message-ID, so that a repeated one is recognised. */
export interface Email {
  readonly id: string
  readonly to: ReadonlyArray<string>
  readonly subject: string
  readonly text: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** The result of sending an e-mail. */
export type MailResult =
  /** Accepted for at least one of its recipients. */
  | { readonly _tag: "Sent" }
  /** Certainly refused: a retry does not help. */
  | { readonly _tag: "Refused"; readonly reason: string }
  /** No usable response, or one that asks for a retry. */
  | { readonly _tag: "Failed"; readonly reason: string }

/** Port to the delivery of e-mails. Boot contract, `CARTEIRO_SMTP_URL` */
export interface MailDelivery {
  readonly send: (email: Email) => Effect.Effect<MailResult>
}

/** The delivery of this installation's e-mails; undefined without one, and then e-mails wait. */
export const MailSender = Context.Reference<MailDelivery | undefined>("@carteiro/provider/MailSender", {
  defaultValue: () => undefined
})
