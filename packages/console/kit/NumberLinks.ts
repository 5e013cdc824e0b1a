import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { PhoneNumber } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { readablePhone } from "@carteiro/spellings/Phone.ts"
import { Effect } from "effect"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { type Html, html } from "./Html.ts"
import { asVisitor, type Operations } from "./Operations.ts"
import type { Visit } from "./Pages.ts"
import { personText } from "./Parts.ts"
import { phoneText } from "./PhoneText.ts"

/** Numbers of an environment that are known by name; those beyond are shown by id. */
const mostNames = "100"
/** Production environments whose numbers are looked for on pages of the organization. */
const mostEnvironments = 20

/** Returns a number as people know it: its name or its phone, with the way to its page; by its id where neither is known. */
export type NumberLink = (id: string) => Html

type Numbers = Pick<typeof Operations.Service, "phoneNumbers">

/** Returns what reads the names of an environment's numbers. */
export const numberLinker = ({ phoneNumbers }: Numbers) =>
  Effect.fnUntraced(function* (visit: Visit, environment: EnvironmentEntry): Effect.fn.Return<NumberLink, ApiError> {
    const { data } = yield* phoneNumbers.list(asVisitor(visit, environment), { query: { limit: mostNames } })
    return linkAmong(data.map((number) => [environment, number]))
  })

/** Returns what reads the names of the numbers that production is charged for, of all projects, where lines name one. */
export const chargedNumberLinker = ({ phoneNumbers }: Numbers) =>
  Effect.fnUntraced(function* (
    visit: Visit,
    lines: ReadonlyArray<{ readonly phone_number_id: string | null }>
  ): Effect.fn.Return<NumberLink, ApiError> {
    if (lines.every(({ phone_number_id }) => phone_number_id === null)) return linkAmong([])
    const production = (yield* visit.environments).filter(({ kind }) => kind === "production")
    const numbers = yield* Effect.forEach(
      production.slice(0, mostEnvironments),
      (environment) =>
        Effect.map(phoneNumbers.list(asVisitor(visit, environment), { query: { limit: mostNames } }), ({ data }) =>
          data.map((number) => [environment, number] as const)
        ),
      { concurrency: 5 }
    )
    return linkAmong(numbers.flat())
  })

/** Returns a number as the choice of a sender: its phone with its name. */
export const numberChoice = ({ display_name, id, phone }: PhoneNumber): Html =>
  html`${phone === null ? id : readablePhone(phone).text}${display_name && `, ${display_name}`}`

const linkAmong = (numbers: ReadonlyArray<readonly [EnvironmentEntry, PhoneNumber]>): NumberLink => {
  const byId = new Map(numbers.map((entry) => [entry[1].id, entry]))
  return (id) => {
    const entry = byId.get(id)
    const name = entry?.[1].display_name ?? entry?.[1].phone
    return entry === undefined || name == null
      ? html`<code>${id}</code>`
      : personText(html`<a href="/dashboard/phone-numbers/${entry[0].id}/${id}">${phoneText(name)}</a>`)
  }
}
