import { filled } from "@carteiro/html/Catalog.ts"
import type { Email, MailResult } from "@carteiro/provider/MailSender.ts"
import { defaultLanguage } from "@carteiro/schema/conventions/Language.ts"
import { readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import type { DueEmail } from "./MailOutcome.ts"
import type { MailRecipient } from "./MailRecipients.ts"

/** The result of a try, with everybody whom the e-mail has reached by now. */
export interface Tried {
  readonly result: MailResult
  readonly recipients: ReadonlyArray<string>
}

/**
 * Returns what leaves for an e-mail: one for each language that a recipient reads and that it is written in, English for
 * the others, without the recipients whom a try before has reached. Decision 0188
 */
export const partsOf = (
  email: DueEmail,
  recipients: ReadonlyArray<MailRecipient>,
  dashboard: string
): ReadonlyArray<Email> => {
  const { created_at: at, id } = email
  const reached = new Set(reachedBy(email))
  const translations = readJsonOrNull(email.translations) ?? {}
  const waiting = recipients.filter((one) => !reached.has(one.email))
  const byLanguage = Map.groupBy(waiting, ({ language }) =>
    translations[language] === undefined ? defaultLanguage : language
  )
  return [...byLanguage].map(([language, people]) => {
    const { body, subject } = translations[language] ?? email
    return {
      // Each has a Message-ID of its own, the same in every try.
      id: language === defaultLanguage ? id : `${id}.${language}`,
      to: people.map((one) => one.email),
      subject,
      text: filled(body, { dashboard }),
      at
    }
  })
}

/** Returns what a try came to: it is made again while one of its e-mails may still arrive. */
export const together = (email: DueEmail, parts: ReadonlyArray<Email>, results: ReadonlyArray<MailResult>): Tried => {
  const sent = parts.flatMap(({ to }, index) => (results[index]?._tag === "Sent" ? to : []))
  const recipients = [...reachedBy(email), ...sent]
  const nobody: MailResult = recipients.length > 0 ? { _tag: "Sent" } : { _tag: "Refused", reason: "no_recipient" }
  const result =
    results.find(({ _tag }) => _tag === "Failed") ?? results.find(({ _tag }) => _tag === "Refused") ?? nobody
  return { result, recipients }
}

const reachedBy = ({ recipients }: DueEmail): ReadonlyArray<string> => recipients?.split(", ") ?? []
