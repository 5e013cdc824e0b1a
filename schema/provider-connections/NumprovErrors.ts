import { apiError } from "../conventions/ApiError.ts"

/** Refuses when this installation does not support tenants' own number-provider accounts. M-IMP-16 */
export class NumprovByokUnavailable extends apiError("numprov_byok_unavailable", {
  status: 503,
  type: "service_unavailable",
  message: "Number-provider accounts of your own are not active here yet; retry the unchanged request later."
}) {}

/** Refuses a second live account of an environment. M-IMP-17 */
export class NumprovConnectionAlreadyExists extends apiError("numprov_connection_already_exists", {
  status: 409,
  type: "conflict",
  message: "This environment has a live number-provider connection."
}) {}

/** Refuses when the connection's state does not allow calls to the provider. M-IMP-17 */
export class NumprovConnectionUnavailable extends apiError("numprov_connection_unavailable", {
  status: 409,
  type: "conflict",
  message: "This number-provider connection is not connected; see its latest operation."
}) {}

/** Refuses plans other than Standard and Growth, because only they manage numbers of other accounts. M-IMP-08 */
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

/** Refuses when a resource does not exist or belongs to another environment. M-IMP-14 */
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
