import { clean } from "@carteiro/schema/conventions/Text.ts"
import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { InvalidFeedbackReportRequest } from "@carteiro/schema/feedback/FeedbackErrors.ts"
import type { CreateFeedbackReport, RelatedError } from "@carteiro/schema/feedback/FeedbackReport.ts"
import { Result } from "effect"
import { redactMap, redactText, unsafeToStore } from "../../telemetry/Redaction.ts"

/** How long a report is kept after its creation, in milliseconds: 365 days. gaps-1 H "Retention of reports" */
export const reportRetention = 365 * dayMs

const excerptLength = 160

/** A report in the form in which it may be stored, without credentials. A-FBK-11, A-FBK-22..24 */
export interface StorableReport {
  readonly message: string
  readonly related_error: RelatedError | undefined
  readonly context: Readonly<Record<string, string>> | undefined
  /** True when a credential was removed. A-FBK-06 */
  readonly redacted: boolean
}

/**
 * Removes the credentials from a decoded report, before any other code reads it; refuses a report that cannot be made
 * safe, at the first unsafe field. A-FBK-19, A-FBK-20, gaps-1 H "What cannot be safely redacted"
 */
export const storable = (body: CreateFeedbackReport): StorableReport | InvalidFeedbackReportRequest => {
  const message = redactText(clean(body.message))
  if (unsafeToStore(message.text)) return unsafe("message")
  let redacted = message.redacted
  let related: { -readonly [K in keyof RelatedError]: RelatedError[K] } | undefined
  if (body.related_error !== undefined) {
    related = {}
    for (const field of ["code", "request_id", "trace_id"] as const) {
      const value = body.related_error[field]
      if (value === undefined) continue
      const safe = redactText(value)
      if (unsafeToStore(safe.text)) return unsafe(`related_error.${field}`)
      related[field] = safe.text
      redacted ||= safe.redacted
    }
  }
  const context = body.context === undefined ? undefined : redactMap(body.context)
  // The key may be a credential itself, so the refusal names the map and not the entry.
  if (body.context !== undefined && context === undefined) return unsafe("context")
  return {
    message: message.text,
    related_error: related,
    context: context?.values,
    redacted: redacted || context?.redacted === true
  }
}

/** Refuses a body, or a part of one, that cannot be made safe. A-FBK-20 */
export const checkRedactable = (
  body: Partial<CreateFeedbackReport>
): Result.Result<void, InvalidFeedbackReportRequest> => {
  const report = storable({ message: "", ...body })
  return report instanceof InvalidFeedbackReportRequest ? Result.fail(report) : Result.void
}

/** Returns the first 160 code points of a stored message, newlines as spaces. A-FBK-31, gaps-1 H "message_excerpt" */
export const excerpt = (message: string): string => {
  let text = ""
  let count = 0
  for (const character of message) {
    if (count++ === excerptLength) break
    text += character === "\n" ? " " : character
  }
  return text
}

const unsafe = (param: string): InvalidFeedbackReportRequest =>
  new InvalidFeedbackReportRequest({ param, message: "The report holds something that cannot be safely redacted." })
