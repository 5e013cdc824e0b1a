import type { SandboxTask } from "../payment/Payment.ts"

/** The next step of a sandbox payment; `next` is its next due time, epoch milliseconds. */
export type SandboxStep =
  | { readonly _tag: "Link"; readonly next: number }
  | { readonly _tag: "Approve"; readonly next: number }
  | { readonly _tag: "End"; readonly outcome: "cancelled" | "expired" }
  | { readonly _tag: "Wait"; readonly next: number }

/**
 * Returns the step that is due first: link, approval and cancel one unit after their request, expiry last. gaps-3 C
 * "Sandbox fixture", "Cancel details", "Expiry"
 */
export const sandboxStepOf = (payment: SandboxTask, now: number, unitMs: number): SandboxStep => {
  const { approval_due, approval_requested_at, cancel_due, cancel_requested_at, created_at } = payment
  const expires_at = created_at + payment.expires_in_seconds * 1000
  const approves_at = approval_due && approval_requested_at !== null ? approval_requested_at + unitMs : undefined
  const cancels_at = cancel_due && cancel_requested_at !== null ? cancel_requested_at + unitMs : undefined
  const nextOf = (...others: ReadonlyArray<number | undefined>) =>
    Math.min(expires_at, ...others.filter((at) => at !== undefined))
  if (payment.status === "link_pending") return { _tag: "Link", next: expires_at }
  if (approves_at !== undefined && approves_at <= now) return { _tag: "Approve", next: nextOf(cancels_at) }
  if (cancels_at !== undefined && cancels_at <= now) return { _tag: "End", outcome: "cancelled" }
  if (expires_at <= now) return { _tag: "End", outcome: "expired" }
  return { _tag: "Wait", next: nextOf(approves_at, cancels_at) }
}
