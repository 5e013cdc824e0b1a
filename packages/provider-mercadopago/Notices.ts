import { createHmac, timingSafeEqual } from "node:crypto"
import type { PixNoticeCall, ProvenNotice } from "@carteiro/provider/payments/PixNotices.ts"
import { storableId } from "@carteiro/provider/VendorWords.ts"
import { jsonOf, memberOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import { Redacted } from "effect"
import { idText } from "./Answers.ts"

/** The most seconds between a signature's time and now. */
const mostAgeSeconds = 300
/** The longest header and query, in characters; the vendor's are never longer. */
const mostLength = 4096
/** Times of signatures above this are in milliseconds: as seconds they would lie behind the year 5000. */
const leastMilliseconds = 100_000_000_000

/** Returns the address for the vendor's notices; the query keeps the vendor from sending them in their older form too. */
export const noticeUrl = (receiver: string): string => `${receiver}?source_news=webhooks`

/**
 * Returns a notice whose `x-signature` (`ts=<time>,v1=<hex>`) is made with one of the secrets over the id of the query, the
 * id of the request and that time, at most 300 seconds from now. The body is not signed: it has to name the signed id.
 */
export const proveNotice = (
  { body, headers, now, search }: PixNoticeCall,
  secrets: ReadonlyArray<Redacted.Redacted>
): ProvenNotice | undefined => {
  const header = headers["x-signature"]
  if (typeof header !== "string" || header.length > mostLength || search.length > mostLength) return undefined
  const parts = new Map(header.split(",").map((part) => pairOf(part)))
  const ts = parts.get("ts")
  const hash = parts.get("v1")
  if (ts === undefined || !/^\d{1,14}$/.test(ts) || hash === undefined || !/^[0-9a-f]{64}$/.test(hash)) return undefined
  const at = Number(ts) > leastMilliseconds ? Number(ts) : Number(ts) * 1000
  if (Math.abs(now - at) > mostAgeSeconds * 1000) return undefined
  const subject = new URLSearchParams(search).get("data.id") ?? ""
  const request = headers["x-request-id"]
  const requestId = typeof request === "string" ? request : ""
  const expected = secrets.map((secret) =>
    createHmac("sha256", Redacted.value(secret))
      .update(manifestOf(subject.toLowerCase(), requestId, ts))
      .digest()
  )
  const given = Buffer.from(hash, "hex")
  // Every secret is compared, so that the time reveals nothing.
  let fits = false
  for (const one of expected) if (timingSafeEqual(one, given)) fits = true
  if (!fits || (subject !== "" && subject !== subjectOf(jsonOf({ bytes: body })))) return undefined
  return { id: storableId(requestId) ?? undefined }
}

/** Returns the id of the payment that a stored notice is about; undefined for a notice about another thing. */
export const noticedPayment = (body: Uint8Array): string | undefined => {
  const json = jsonOf({ bytes: body })
  const isPayment = [memberOf(json, "type"), memberOf(json, "topic")].includes("payment")
  const id = isPayment ? subjectOf(json) : undefined
  return id !== undefined && /^\d{1,20}$/.test(id) ? id : undefined
}

const subjectOf = (json: unknown): string | undefined => idText(memberOf(memberOf(json, "data"), "id"))

const pairOf = (part: string): readonly [name: string, value: string] => {
  const [name = "", ...value] = part.split("=")
  return [name.trim().toLowerCase(), value.join("=").trim()]
}

/** Returns the signed text; what the call does not have is left out of it. */
const manifestOf = (id: string, requestId: string, ts: string): string =>
  `${id === "" ? "" : `id:${id};`}${requestId === "" ? "" : `request-id:${requestId};`}ts:${ts};`
