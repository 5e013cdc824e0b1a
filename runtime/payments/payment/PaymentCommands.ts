import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Metadata } from "@carteiro/schema/messages/Metadata.ts"
import {
  PaymentAlreadyTerminal,
  PaymentApprovalUnsupported,
  PaymentCancellationUnsupported,
  PaymentLinkNotReady
} from "@carteiro/schema/payments/PaymentErrors.ts"
import { type JsonText, readJsonOrNull } from "@carteiro/tables/StoredJson.ts"
import { Result } from "effect"
import { hasEnded, type PaymentRow } from "./Payment.ts"

/**
 * True when a payment can be cancelled: pages can, codes and payments of other providers cannot. gaps-3 C "Cancel
 * details"
 */
const isCancellable = ({ environment, mode, provider, provider_connection_id }: PaymentRow): boolean =>
  (environment === "sandbox" && provider_connection_id === null) ||
  (provider === "pixprov2" && mode === "hosted_checkout")

/** Returns whether a cancel begins; false when it changes nothing. C-PCAN-03..07, gaps-3 C "Cancel details" */
export const judgeCancel = (row: PaymentRow): Result.Result<boolean, ApiError> => {
  if (hasEnded(row)) return Result.succeed(false)
  if (!isCancellable(row)) return Result.fail(new PaymentCancellationUnsupported())
  if (row.provider_payment_id === null) return Result.fail(new PaymentLinkNotReady())
  return Result.succeed(row.cancel_requested_at === null)
}

/**
 * Returns whether an approval is requested; false when it changes nothing. Refuses where the account's vendor has none. gaps-3 C "approval_requested and approved"
 */
export const judgeApproval = (row: PaymentRow, isSupported = true): Result.Result<boolean, ApiError> => {
  if (hasEnded(row)) return Result.fail(new PaymentAlreadyTerminal())
  if (!isSupported || (row.environment === "production" && row.provider === "pixprov1")) {
    return Result.fail(new PaymentApprovalUnsupported())
  }
  if (row.status === "link_pending") return Result.fail(new PaymentLinkNotReady())
  return Result.succeed(row.status === "link_generated")
}

/** True when the metadata ask the sandbox to approve by itself. gaps-3 C "approval_requested and approved" */
export const isApprovedInSandbox = (metadata: JsonText<Metadata> | null): boolean =>
  readJsonOrNull(metadata)?.sandbox_scenario === "approved"
