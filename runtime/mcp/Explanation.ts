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

type ExplainedAttempt = NonNullable<ExplainedResource["attempts"]>[number]

/** Fits an answer whose status lies between the first two, or is the third. */
function isStatus(from: number, to: number, or = from) {
  return ({ status_code }: ExplainedAttempt): boolean =>
    status_code !== null && ((status_code >= from && status_code <= to) || status_code === or)
}

/** Fits an attempt without an answer whose sentence is one of these. */
function isSentence(sentence: RegExp) {
  return ({ error_message, status_code }: ExplainedAttempt): boolean =>
    status_code === null && sentence.test(error_message ?? "")
}

/**
 * What a receiver does that makes attempts fail, and the remedy. The first row that fits explains an attempt: those with a
 * status by the status, those without an answer by the sentence of `packages/outbound/Attempt.ts`.
 */
const failureGuides: ReadonlyArray<
  readonly [fits: (attempt: ExplainedAttempt) => boolean, cause: string, remedy: string]
> = [
  [
    isStatus(300, 399),
    "The receiver redirects, and deliveries follow no redirect.",
    "Register the address that the redirect leads to (often https instead of http, or with or without a slash at the end)."
  ],
  [
    isStatus(401, 401, 403),
    "The receiver, or a firewall or proxy before it, wants its own credentials or refused the signature.",
    "Let the path of the endpoint pass without a login, and verify the signature with the endpoint's present secret over the raw body."
  ],
  [
    isStatus(404, 405, 410),
    "The receiver has no POST route at this path.",
    "Compare the endpoint's url with the route that is deployed; it has to take POST. A test address of a workflow tool ends with its test."
  ],
  [
    isStatus(413, 413),
    "The receiver, or a proxy before it, takes no body of this size.",
    "Raise its limit for bodies; events that carry long texts or many items are the largest."
  ],
  [
    isStatus(429, 429),
    "The receiver limits the rate of deliveries.",
    "Raise its limit, or answer 202 and work from a queue."
  ],
  [
    isStatus(400, 499),
    "The receiver refused the request, often because its own check of the body or of the signature fails.",
    "Read response_body_redacted of read_delivery and the receiver's log, and ignore members and types of events that it does not know."
  ],
  [
    isStatus(502, 504),
    "A proxy before the receiver answered, since the program behind it is down, starting or too slow.",
    "Start the program, and answer 2xx before working on the event."
  ],
  [
    isStatus(500, 599),
    "The receiver's program failed.",
    "Look in its log for the exception at this time; response_body_redacted of read_delivery has the start of its answer."
  ],
  [
    isSentence(/host name did not resolve/),
    "DNS has no address for the host of the endpoint's url.",
    "Look for a misspelt host, a tunnel that has ended, or a record that is not published yet."
  ],
  [
    isSentence(/TLS certificate was not accepted/),
    "The certificate is expired, self-signed, for another host, or sent without its intermediate certificates; the code in the sentence tells which.",
    "Renew it, and send the whole chain: openssl s_client -connect HOST:443 -servername HOST shows what is sent."
  ],
  [
    isSentence(/TLS handshake failed/),
    "The port speaks no TLS, or none of version 1.2 or later.",
    "Check port and scheme of the url, and enable TLS 1.2 or 1.3."
  ],
  [
    isSentence(/connection was not established in time/),
    "No answer to the connection: a firewall drops it, or the host is down.",
    "Open the port to the internet, and try the url from another network."
  ],
  [
    isSentence(/did not answer in time|did not finish its answer in time|took longer than allowed/),
    "The receiver was connected and took too long.",
    "Verify, put the event in a queue, answer 2xx at once, and work after that."
  ],
  [
    isSentence(/connection was refused/),
    "No program listens on that port of the host.",
    "Start the receiver, on an address that is reached from outside instead of the loopback, and check the port of the url."
  ],
  [
    isSentence(/connection was reset|closed before a complete answer/),
    "The receiver or a proxy ended the connection before a whole answer.",
    "Look for a crash or restart at this time, and for a proxy's limits of time and size."
  ],
  [
    isSentence(/headers of the answer were too large|not valid HTTP/),
    "The answer is no HTTP answer that can be read.",
    "Answer with a status and few headers; check that the port speaks HTTP, and TLS only where the url says https."
  ],
  [
    isSentence(/network could not be reached/),
    "There is no route to the network of the receiver.",
    "Check the addresses that DNS gives for the host, IPv6 ones too."
  ],
  [
    isSentence(/destination is not allowed/),
    "The url leads to a private or reserved address, which deliveries never dial.",
    "Register a public https address; a program on your own machine takes events by `carteiro listen` or a tunnel."
  ],
  [
    isSentence(/^payload_unavailable$/),
    "The content of the event was erased or too old before this attempt.",
    "Read the resource by its id; this event is not sent again."
  ]
]

const failureGuideOf = (attempt: ExplainedAttempt | undefined) =>
  attempt && failureGuides.find(([fits]) => fits(attempt))

const isDelivered = (status_code: number | null) => status_code !== null && status_code >= 200 && status_code <= 299

const explainedDelivery = ({ attempts = [], id, status }: ExplainedResource): object => {
  const last = attempts.at(-1)
  const failed = attempts.filter(({ error_message, failure_class, status_code }) =>
    isDelivered(status_code) ? false : failure_class !== null || status_code !== null || error_message !== null
  )
  const lastFailed = failed.at(-1)
  const answer = last?.status_code == null ? "no HTTP status" : `status ${last.status_code}`
  const [, cause, repair] = (status === "delivered" ? undefined : failureGuideOf(lastFailed)) ?? []
  return {
    id,
    status,
    attempts: attempts.length,
    failed_attempts: failed.length,
    last_failure: lastFailed?.failure_class ?? null,
    next_retry_at: last?.next_retry_at ?? null,
    explanation:
      status === "delivered"
        ? "The receiver answered with a 2xx status."
        : last === undefined
          ? "It has not been tried yet."
          : `The last attempt ended with ${answer}${last.error_message === null ? "" : `: ${last.error_message}`}${/[.]$/.test(last.error_message ?? "") ? "" : "."}`,
    ...(cause === undefined ? {} : { cause }),
    remedy: [repair, nextStepOf(status, last)].filter((sentence) => sentence !== undefined).join(" ")
  }
}

const nextStepOf = (status: string, last: ExplainedAttempt | undefined): string => {
  if (status === "delivered") return "Nothing is to be done."
  if (last === undefined || (status === "pending" && last.next_retry_at === null)) {
    return "Wait a moment and ask again: an attempt is under way or follows by itself."
  }
  return last.next_retry_at === null
    ? "No attempt follows by itself. Repair the receiver, enable its endpoint if it is disabled, and resend the event."
    : "Repair the receiver before next_retry_at: it has to answer 2xx within the time limit, and do its work after that."
}
