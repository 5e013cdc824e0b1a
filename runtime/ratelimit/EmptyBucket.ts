import { RateLimited } from "@carteiro/schema/conventions/SharedErrors.ts"

/** The holder of a bucket, in a caller's words. */
export type BucketHolder =
  | "API key"
  | "environment"
  | "organization"
  | "phone number"
  | "webhook endpoint"
  | "member"
  | "source address"

/** Returns the 429 of an empty bucket: it names the bucket, its holder, and the wait in milliseconds. M-ERR-06 */
export const emptyBucket = (bucket: string, holder: BucketHolder, waitMs: number): RateLimited =>
  new RateLimited({
    retry_after_ms: waitMs,
    message: `The \`${bucket}\` limit of this ${holder} is used up; retry after ${Math.max(0, Math.ceil(waitMs))} ms.`
  })
