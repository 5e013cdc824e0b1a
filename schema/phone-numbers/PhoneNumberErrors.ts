import { apiError } from "../conventions/ApiError.ts"

/** Unknown and foreign numbers answer alike; a send names `sender.id`. M-PHN-53, gaps-2 B "Sender not usable" */
export class PhoneNumberNotFound extends apiError("phone_number_not_found", {
  status: 404,
  type: "not_found",
  message: "No phone number with this id."
}) {}

/** The number's management is suspended. M-ERR-05 */
export class PhoneServiceSuspended extends apiError("phone_service_suspended", {
  status: 403,
  type: "authorization_error",
  message: "The management of this phone number is suspended."
}) {}
