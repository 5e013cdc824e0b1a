import { apiError } from "../conventions/ApiError.ts"

/** Refuses when an order does not exist or belongs to another environment. M-ORD-25 */
export class PhoneNumberOrderNotFound extends apiError("phone_number_order_not_found", {
  status: 404,
  type: "not_found",
  message: "No phone number order with this id."
}) {}

/** Refuses to rent a number before a person approves the order in `details.order`. M-PHN-47, M-PHN-48 */
export class PhoneNumberRentalApprovalRequired extends apiError("phone_number_rental_approval_required", {
  status: 409,
  type: "conflict",
  message:
    "An owner or admin has to approve this rental: relay details.order.approval_url to one. Do not create an order beside it.",
  feedback: true
}) {}

/** Refuses when the price or date of the first charge is unknown at present. M-ORD-33 */
export class PhoneNumberRentalPreviewUnavailable extends apiError("phone_number_rental_preview_unavailable", {
  status: 503,
  type: "service_unavailable",
  message: "The price of the number is unknown at present; no order was created. Try again later.",
  feedback: true
}) {}

/** M-PHN-56, M-ORD-26, A-ERR-30 */
export class KycRequired extends apiError("kyc_required", {
  status: 403,
  type: "authorization_error",
  message: "Production numbers need a declared business identity; an owner declares it in the dashboard."
}) {}

/** M-PHN-56, A-ERR-30 */
export class KycPending extends apiError("kyc_pending", {
  status: 403,
  type: "authorization_error",
  message: "The business identity is being reviewed; numbers can be ordered once it is approved."
}) {}

/** M-ORD-27 */
export class BillingWhatsappRequired extends apiError("billing_whatsapp_required", {
  status: 403,
  type: "authorization_error",
  message:
    "An owner or admin has to receive billing alerts on their own phone, and to have agreed to it, before a number is ordered."
}) {}

/** Refuses a decision on an order that is already decided or expired. */
export class PhoneNumberOrderNotOpen extends apiError("phone_number_order_not_open", {
  status: 409,
  type: "conflict",
  message: "This order does not wait for a decision any more."
}) {}
