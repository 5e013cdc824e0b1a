import { RateLimited } from "@carteiro/schema/conventions/SharedErrors.ts"

/** Who holds a bucket, as a caller knows it. */
export type BucketHolder =
  | "API key"
  | "environment"
  | "organization"
  | "phone number"
  | "webhook endpoint"
  | "source address"

/** The 429 of a bucket that is empty: it names the bucket, who holds it, and the wait in milliseconds. M-ERR-06 */
export const emptyBucket = (bucket: string, holder: BucketHolder, waitMs: number): RateLimited =>
  new RateLimited({
    retry_after_ms: waitMs,
    message: `The \`${bucket}\` limit of this ${holder} is used up; retry after ${Math.max(0, Math.ceil(waitMs))} ms.`
  })
