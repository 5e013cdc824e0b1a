import type { Email } from "@carteiro/provider/MailSender.ts"

/** Returns an e-mail in the form that the library takes. RFC 5322 */
export const composed = (email: Email, from: string) => ({
  from,
  to: [...email.to],
  subject: email.subject,
  text: email.text,
  date: new Date(email.at),
  messageId: `<${email.id}@${domainOf(from)}>`,
  // People and machines should not answer it. RFC 3834
  headers: { "Auto-Submitted": "auto-generated" }
})

/** Returns the part after the at sign of an address, with or without a name before it. */
const domainOf = (address: string): string => /@([A-Za-z0-9.-]+)/.exec(address)?.[1] ?? "localhost"
