/** Where a report stands. gaps-1 H "Status and disposition values" */
export const reportStatuses = ["received", "in_review", "resolved", "closed"] as const
export type ReportStatus = (typeof reportStatuses)[number]

/** What a resolution says. gaps-1 H "Status and disposition values" */
export const dispositions = ["fixed", "documented", "already_supported", "duplicate", "not_planned"] as const
export type Disposition = (typeof dispositions)[number]

/**
 * Whether a report may go there: into review from anywhere, which also reopens it; to an end from review, or straight
 * from its arrival, which passes review in one step. Nothing goes back to `received`, and an end leads to no other end.
 * gaps-1 H
 */
export const mayMove = (from: string, to: ReportStatus): boolean => {
  if (to === "received" || from === to) return false
  return to === "in_review" || from === "received" || from === "in_review"
}
