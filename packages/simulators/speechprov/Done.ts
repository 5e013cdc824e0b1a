import type { SimulatedAnswer } from "../kit/Routes.ts"

/** The result of a route, with the facts for the log. */
export interface Done {
  readonly answer: SimulatedAnswer
  readonly outcome: string
  readonly facts?: Readonly<Record<string, unknown>>
}

/** The response for an unknown id. */
export const notFound: Done = {
  answer: { status: 404, body: { error: { code: "not_found", message: "no such object" } } },
  outcome: "not_found"
}
