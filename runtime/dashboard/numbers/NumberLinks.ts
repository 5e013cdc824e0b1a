import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect } from "effect"
import type { EnvironmentEntry } from "../../access/Access.ts"
import { type Html, html } from "../kit/Html.ts"
import { asVisitor, type Operations } from "../kit/Operations.ts"
import type { Visit } from "../kit/Pages.ts"
import { personText } from "../kit/Parts.ts"
import { numbersAddress } from "./NumberParts.ts"

/** Numbers of an environment that are known by name; of more, those beyond are shown by id. */
const mostNames = "100"

/** Returns a number as people know it: its name or its phone, with the way to its page; by its id where neither is known. */
export type NumberLink = (id: string) => Html

/** Returns what reads the names of an environment's numbers. */
export const numberLinker =
  ({ phoneNumbers }: Pick<typeof Operations.Service, "phoneNumbers">) =>
  (visit: Visit, environment: EnvironmentEntry): Effect.Effect<NumberLink, ApiError> =>
    Effect.map(phoneNumbers.list(asVisitor(visit, environment), { query: { limit: mostNames } }), ({ data }) => {
      const numbers = new Map(data.map((number) => [number.id, number]))
      return (id) => {
        const number = numbers.get(id)
        const name = number?.display_name ?? number?.phone
        return name == null
          ? html`<code>${id}</code>`
          : personText(html`<a href="${numbersAddress}/${environment.id}/${id}">${name}</a>`)
      }
    })
