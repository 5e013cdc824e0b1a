import type { MailDelivery, MailResult } from "@carteiro/provider/MailSender.ts"
import { Effect, Redacted } from "effect"
import { createTransport } from "nodemailer"
import { composed } from "./Mail.ts"

/** The longest time for each step of an exchange, in milliseconds. */
const patience = { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 15_000, dnsTimeout: 5000 }

/** Sends e-mails to a mail server by SMTP, one connection each. Boot contract, `CARTEIRO_SMTP_URL` */
export const makeSmtpMail = (options: {
  /** `smtp://` or `smtps://`, with credentials when the server asks for them. */
  readonly url: Redacted.Redacted
  readonly from: string
}): MailDelivery => {
  const transport = createTransport({ url: Redacted.value(options.url), ...patience })
  return {
    send: (email) =>
      Effect.match(
        Effect.tryPromise({ try: () => transport.sendMail(composed(email, options.from)), catch: resultOf }),
        { onFailure: (result) => result, onSuccess: (): MailResult => ({ _tag: "Sent" }) }
      )
  }
}

/** A 5xx of the server is permanent; every other failure may pass. RFC 5321, section 4.2.1 */
const resultOf = (error: unknown): MailResult => {
  const { code, responseCode } = error as { readonly code?: string; readonly responseCode?: number }
  // The server's response may quote the mail and its credentials, so only its code is kept.
  const reason = responseCode === undefined ? (code ?? "unknown") : `${code ?? "SMTP"} ${responseCode}`
  // The operator can correct wrong credentials, so they are not permanent.
  const final = responseCode !== undefined && responseCode >= 500 && code !== "EAUTH"
  return { _tag: final ? "Refused" : "Failed", reason }
}
