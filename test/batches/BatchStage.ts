import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { seededTemplateRows } from "@carteiro/runtime/templates/Templates.ts"
import { readablePhone } from "@carteiro/spellings/Phone.ts"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api, type CallOptions } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import type { TestEnvironment } from "../support/Tenants.ts"

/** A phone of each index, none a Brazilian mobile without its ninth digit. */
export const phone = (index: number): string => `+55119${String(20_000_000 + index)}`

/** The phone of an index as pages show it. */
export const shownPhone = (index: number): string => readablePhone(phone(index)).text

/** Inline recipients of the template `welcome`. */
export const recipients = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ to: phone(from + index), variables: { "1": `Maria ${index}` } }))

/** An environment with a number and the seeded templates, and how batches are made there. */
export const seedBatches = Effect.fnUntraced(function* (environment: TestEnvironment) {
  const api = yield* Api
  const ids = yield* Ids
  const commit = yield* Commit
  const at = yield* Clock.currentTimeMillis
  const number = yield* seedNumber(environment)
  const present = yield* templatesOf(environment.id)
  if (present === 0) {
    yield* commit.write([...seededTemplateRows(ids, { environment_id: environment.id, kind: environment.kind, at })])
  }
  const body = (given: object = {}) => ({
    sender: { type: "chatapp_phone_number", id: number.id },
    template: { name: "welcome", language: "pt_BR" },
    ...("audience" in given || "audience_id" in given ? {} : { recipients: recipients(2) }),
    ...given
  })
  const { key } = environment
  return {
    number,
    body,
    post: (given: object = {}, options: CallOptions = {}) => api.post("/v1/batches", body(given), { key, ...options }),
    get: (path: string) => api.get(`/v1/batches${path}`, { key }),
    move: (id: string, command: string, options: CallOptions = {}) =>
      api.post(`/v1/batches/${id}/${command}`, undefined, { key, ...options })
  }
})

export type BatchesStage = Effect.Success<ReturnType<typeof seedBatches>>

const templatesOf = Effect.fnUntraced(function* (environmentId: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select 1 from templates where environment_id = ${environmentId}`
  return rows.length
}, Effect.orDie)
