import { apiError } from "@carteiro/schema/conventions/ApiError.ts"

/** The form came from nowhere, from another session, or from a page that is too old. */
export class StaleForm extends apiError("stale_form", {
  status: 403,
  type: "authorization_error",
  message: "This form is out of date. Go back, reload the page and try again."
}) {}

/** The form was sent before, with other fields. Decision 0149 */
export class FormSentBefore extends apiError("form_sent_before", {
  status: 409,
  type: "conflict",
  message: "This form was sent before with other content. Look at what it did, and open it again to send another."
}) {}

/** Refuses what owners and admins alone do. */
export class NotAllowed extends apiError("not_allowed", {
  status: 403,
  type: "authorization_error",
  message: "Only owners and admins of the organization may do this."
}) {}

/** The requested thing is not in this organization, or no longer exists. */
export class NotHere extends apiError("not_here", {
  status: 404,
  type: "not_found",
  message: "There is nothing here, or no longer."
}) {}

/** The form is larger than any form of the console can be. */
export class FormTooLarge extends apiError("form_too_large", {
  status: 413,
  type: "validation_error",
  message: "The form holds too much. Go back and shorten what you typed."
}) {}
