import type { Answered } from "../kit/Routes.ts"

/** What a route did, and what the log says of it. */
export interface Done {
  readonly answer: Answered
  readonly outcome: string
  readonly facts?: Readonly<Record<string, unknown>>
}

/** Nothing of this id. */
export const notFound: Done = {
  answer: { status: 404, body: { error: { code: "not_found", message: "no such object" } } },
  outcome: "not_found"
}
