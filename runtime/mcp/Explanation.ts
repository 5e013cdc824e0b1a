import type { ToolValues } from "./ApiTools.ts"

/** A guide's section about an error code. */
export interface CodeGuide {
  readonly causes: string
  readonly remedy: string
}

/** The parts of a message or delivery that show its result. */
export interface ExplainedResource {
  readonly object?: string
  readonly id: string
  readonly status: string
  readonly error_code?: string | null
  readonly error_message?: string | null
  readonly attempts?: ReadonlyArray<{
    readonly attempt: number
    readonly status_code: number | null
    readonly failure_class: string | null
    readonly error_message: string | null
    readonly next_retry_at: string | null
  }>
}

/** Returns the path of the object to explain: a message, or the delivery of a webhook. */
export const explainedPath = ({ id }: ToolValues): string =>
  String(id).startsWith("whe_")
    ? `/v1/webhook-events/${encodeURIComponent(String(id))}`
    : `/v1/messages/${encodeURIComponent(String(id))}`

/** Returns in words how a message or a delivery ended, the reason, and the remedy. */
export const explain = (
  resource: ExplainedResource,
  guideOf: (code: string) => CodeGuide | undefined,
  docsOf: (code: string) => string
): object => {
  const { attempts, error_code, id, status } = resource
  if (attempts !== undefined) return explainedDelivery(resource)
  if (status !== "failed" || error_code == null) {
    return { id, status, explanation: "It has not failed. Its events tell when it came to this status." }
  }
  const guide = guideOf(error_code)
  return {
    id,
    status,
    error_code,
    explanation: resource.error_message ?? error_code,
    ...(guide === undefined ? {} : { causes: guide.causes, remedy: guide.remedy }),
    doc_url: docsOf(error_code)
  }
}

const explainedDelivery = ({ attempts = [], id, status }: ExplainedResource): object => {
  const last = attempts.at(-1)
  const failed = attempts.filter(({ failure_class }) => failure_class !== null)
  const answer = last?.status_code == null ? "no HTTP status" : `status ${last.status_code}`
  return {
    id,
    status,
    attempts: attempts.length,
    failed_attempts: failed.length,
    last_failure: failed.at(-1)?.failure_class ?? null,
    next_retry_at: last?.next_retry_at ?? null,
    explanation:
      status === "delivered"
        ? "The receiver answered with a 2xx status."
        : last === undefined
          ? "It has not been tried yet."
          : `The last attempt ended with ${answer}${last.error_message === null ? "" : `: ${last.error_message}`}.`,
    remedy:
      status === "delivered"
        ? "Nothing is to be done."
        : last === undefined || (status === "pending" && last.next_retry_at === null)
          ? "Wait a moment and ask again: an attempt is under way or follows by itself."
          : last.next_retry_at === null
            ? "No attempt follows by itself. Repair the receiver, enable its endpoint if it is disabled, and resend the event."
            : "Repair the receiver before next_retry_at: it has to answer 2xx within the time limit, and do its work after that."
  }
}
