import type { Answer } from "./ApiTest.ts"

/** Returns status, code and param of a response, which identify a refusal. */
export const told = ({ status, body }: Answer) => [status, body.error?.code, body.error?.param]

/** A timestamp in the contract's form. A-CONV-10 */
export const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
