import { apiError } from "../conventions/ApiError.ts"

/** Accounts of tenants at the number provider are not switched on here. M-IMP-16 */
export class NumprovByokUnavailable extends apiError("numprov_byok_unavailable", {
  status: 503,
  type: "service_unavailable",
  message: "Number-provider accounts of your own are not active here yet; retry the unchanged request later."
}) {}

/** One live account an environment. M-IMP-17 */
export class NumprovConnectionAlreadyExists extends apiError("numprov_connection_already_exists", {
  status: 409,
  type: "conflict",
  message: "This environment has a live number-provider connection."
}) {}

/** It cannot be asked as it is. M-IMP-17 */
export class NumprovConnectionUnavailable extends apiError("numprov_connection_unavailable", {
  status: 409,
  type: "conflict",
  message: "This number-provider connection is not connected; see its latest operation."
}) {}

/** Only Standard and Growth manage numbers of other accounts. M-IMP-08 */
export class NumprovByokSubscriptionRequired extends apiError("numprov_byok_subscription_required", {
  status: 403,
  type: "authorization_error",
  message: "Importing numbers of your own number-provider account needs an active Standard or Growth plan."
}) {}

/** M-IMP-04 */
export class NumprovByokTermsRequired extends apiError("numprov_byok_terms_required", {
  status: 400,
  type: "validation_error",
  message: "Accept the terms: continuation_terms_version has to be numprov_byok_v1."
}) {}

/** Unknown and foreign resources answer alike. M-IMP-14 */
export class NumprovResourceNotFound extends apiError("numprov_resource_not_found", {
  status: 404,
  type: "not_found",
  message: "No such number among those last listed of this account."
}) {}

/** M-IMP-05, M-IMP-15, gaps-2 L "Number-provider connections" */
export class NumprovNumberUnavailable extends apiError("numprov_number_unavailable", {
  status: 409,
  type: "conflict",
  message: "This number is not active at the provider, or it was listed more than 24 hours ago: discover again."
}) {}

/** M-IMP-15 */
export class NumprovNumberAlreadyImported extends apiError("numprov_number_already_imported", {
  status: 409,
  type: "conflict",
  message: "This number is imported already."
}) {}
