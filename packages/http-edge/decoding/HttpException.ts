import { ApiError } from "@carteiro/schema/conventions/ApiError.ts"

/**
 * Makes a refusal of the framework itself; the type follows from the status. A-ERR-22, A-ERR-23, gaps-1 A "Types for
 * statuses outside the category table"
 */
export const httpException = (status: number, message: string): ApiError =>
  new ApiError({
    _tag: "http_exception",
    status,
    type: status >= 500 ? "internal_error" : status === 403 ? "authorization_error" : "validation_error",
    message
  })

/**
 * Makes the refusal of a body or query that breaks the contract of its route. gaps-1 A "Validation code of each route"
 */
export const contractError = (code: string, message: string, param?: string): ApiError =>
  new ApiError({ _tag: code, status: 400, type: "validation_error", message, param })
