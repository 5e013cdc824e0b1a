import { type Ended, type QueueRow, QueueRows } from "@carteiro/owners/Queue.ts"
import type { TemplateState } from "../template/TemplateState.ts"
import type { ListingResult, RemovalResult, SubmissionResult } from "./Submission.ts"

/** Something of an environment's templates that the provider is to be asked. */
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

/** One asked and ended. */
export type EndedReview = Ended<ReviewRow, ReviewResult>

/** Calls that one owner has under way at its provider at most. */
const parallelCalls = 4

/** The calls of one environment's templates; nothing of what was judged when it was read forbids one. */
export class ReviewRows extends QueueRows<undefined, ReviewRow, ReviewResult> {
  constructor() {
    super(parallelCalls, true)
  }

  protected override voids(): ReviewResult | undefined {
    return undefined
  }
}

const failed = { _tag: "Failed", error: null } as const

/** The result of a call that broke. */
export const brokenReview = ({ kind }: ReviewRow): ReviewResult => ({ kind, result: failed })
