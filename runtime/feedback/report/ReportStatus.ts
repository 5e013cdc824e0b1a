/** The statuses of a report. gaps-1 H "Status and disposition values" */
export const reportStatuses = ["received", "in_review", "resolved", "closed"] as const
export type ReportStatus = (typeof reportStatuses)[number]

/** The dispositions of a resolution. gaps-1 H "Status and disposition values" */
export const dispositions = ["fixed", "documented", "already_supported", "duplicate", "not_planned"] as const
export type Disposition = (typeof dispositions)[number]

/**
 * True when a report may get that status: review from any status, which also reopens it; a final status from review, or
 * directly from `received`. No status leads to `received`, and a final status leads to no other one. gaps-1 H
 */
export const mayMove = (from: string, to: ReportStatus): boolean => {
  if (to === "received" || from === to) return false
  return to === "in_review" || from === "received" || from === "in_review"
}
