import { withDatabase } from "@carteiro/runtime/boot/Database.ts"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { create } from "../support/TestDatabase.ts"

/** Returns the line with which a start over this URL is refused. */
const refusal = (url: string) =>
  Effect.map(
    Effect.flip(withDatabase({ url, shownUrl: url, log: undefined, lost: Effect.never }, Effect.void)),
    (error) => ("message" in error ? error.message : "no message")
  )

interface Parts {
  readonly user?: string
  readonly password?: string
  readonly name?: string
  readonly words?: string
}

/** A URL of two servers: one that does not answer, and the given one. */
const both = (url: string, closed: number, parts: Parts = {}) => {
  const { host, password, pathname, username } = new URL(url)
  const credentials = `${parts.user ?? username}:${parts.password ?? password}`
  return `postgres://${credentials}@127.0.0.1:${closed},${host}/${parts.name ?? pathname.slice(1)}?${parts.words ?? ""}`
}

describe("of several servers, none of which can be used, a start tells what is wrong with the one that answers", () => {
  it.live(
    "a wrong password, database name or sslmode is told as itself, with the server that refused it",
    () =>
      Effect.gen(function* () {
        const url = yield* create("template0")
        const { host, username } = new URL(url)
        const closed = yield* freePort()
        const password = yield* refusal(both(url, closed, { password: "wrong" }))
        assert.include(
          password,
          `DATABASE_URL: PostgreSQL at ${host} does not let ${username} in: password authentication failed`
        )
        const name = yield* refusal(both(url, closed, { name: "gone" }))
        assert.strictEqual(
          name,
          `DATABASE_URL: PostgreSQL at ${host} has no database gone; create it (createdb gone), or correct the name`
        )
        const mode = yield* refusal(both(url, closed, { words: "sslmode=require" }))
        assert.include(mode, `DATABASE_URL: PostgreSQL at ${host} has no TLS, and sslmode asks for it`)
      }),
    240_000
  )

  it.live(
    "servers that are away are named one by one, and nothing else is blamed",
    () =>
      Effect.gen(function* () {
        const [one, other] = [yield* freePort(), yield* freePort()]
        const told = yield* refusal(`postgres://u:p@127.0.0.1:${one},127.0.0.1:${other}/d`)
        assert.strictEqual(
          told,
          `DATABASE_URL: no server takes writes: 127.0.0.1:${one} does not answer (ECONNREFUSED), 127.0.0.1:${other} does not answer (ECONNREFUSED); start or promote one, or correct the addresses`
        )
      }),
    240_000
  )
})
