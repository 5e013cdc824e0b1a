import type { Answer } from "./ApiTest.ts"

/** Status, code and param of an answer; what a refusal is told apart by. */
export const told = ({ status, body }: Answer) => [status, body.error?.code, body.error?.param]

/** A timestamp as the contract writes it. A-CONV-10 */
export const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
