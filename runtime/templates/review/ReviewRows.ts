import { type Ended, type QueueRow, QueueRows } from "@carteiro/owners/Queue.ts"
import type { TemplateState } from "../template/TemplateState.ts"
import type { ListingResult, RemovalResult, SubmissionResult } from "./Submission.ts"

/** A call to the provider about an environment's templates. */
export type ReviewRow = QueueRow &
  (
    | { readonly kind: "submission"; readonly template: TemplateState }
    | { readonly kind: "removal"; readonly template: TemplateState }
    | { readonly kind: "listing" }
  )

/** The result of one call, by its kind. */
export type ReviewResult =
  | { readonly kind: "submission"; readonly result: SubmissionResult }
  | { readonly kind: "removal"; readonly result: RemovalResult }
  | { readonly kind: "listing"; readonly result: ListingResult }

/** One call and its result. */
export type EndedReview = Ended<ReviewRow, ReviewResult>

/** The most concurrent calls of one owner to its provider. */
const parallelCalls = 4

/** The provider calls of one environment's templates; no state that was read earlier rules one out. */
export class ReviewRows extends QueueRows<undefined, ReviewRow, ReviewResult> {
  constructor() {
    super(parallelCalls, true)
  }

  protected override voids(): ReviewResult | undefined {
    return undefined
  }
}

const failed = { _tag: "Failed", error: null } as const

/** Returns the result of a call that failed unexpectedly. */
export const brokenReview = ({ kind }: ReviewRow): ReviewResult => ({ kind, result: failed })
