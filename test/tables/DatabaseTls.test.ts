import { databaseRefused } from "@carteiro/runtime/boot/StartProblems.ts"
import { databaseUrl, serverUrl } from "@carteiro/runtime/boot/settings/Readers.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { create } from "../support/TestDatabase.ts"
import { type TlsServer, tlsServer } from "../support/TlsServer.ts"

class Server extends Context.Service<Server, TlsServer>()("test/Server") {
  static readonly layer = Layer.effect(this, tlsServer)
}

const withWords = (url: string, words: Readonly<Record<string, string>>, host?: string): string => {
  const changed = new URL(url)
  if (host !== undefined) changed.hostname = host
  for (const [name, value] of Object.entries(words)) changed.searchParams.set(name, value)
  return changed.href
}

/** Returns whether a session over this URL is encrypted, or the line with which a start refuses it. */
const encrypted = (url: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
    return row?.ssl ?? "no row"
  }).pipe(
    Effect.provide(Sql.layer(url, { applicationName: "carteiro-test-tls", maxConnections: 1 }), { local: true }),
    Effect.catchTag("SqlError", (error) => Effect.succeed(databaseRefused({ url, log: undefined }, error).message))
  )

describe("sslmode and sslrootcert of DATABASE_URL mean what psql means by them", () => {
  it.layer(Server.layer, { excludeTestServices: true, timeout: 240_000 })("at a server with TLS", (it) => {
    it.effect("disable and no word use none; prefer and require use it without a look at the certificate", () =>
      Effect.gen(function* () {
        const { lets, url } = yield* Server
        yield* lets("host")
        assert.isFalse(yield* encrypted(url))
        assert.isFalse(yield* encrypted(withWords(url, { sslmode: "disable" })))
        assert.isFalse(yield* encrypted(withWords(url, { sslmode: "allow" })))
        assert.isTrue(yield* encrypted(withWords(url, { sslmode: "prefer" })))
        assert.isTrue(yield* encrypted(withWords(url, { sslmode: "require" })))
      })
    )

    it.effect("verify-ca and require with sslrootcert check the authority, verify-full the name as well", () =>
      Effect.gen(function* () {
        const { authority, lets, stranger, url } = yield* Server
        yield* lets("host")
        for (const sslmode of ["require", "verify-ca"]) {
          assert.isTrue(yield* encrypted(withWords(url, { sslmode, sslrootcert: authority })))
          const refusal = yield* encrypted(withWords(url, { sslmode, sslrootcert: stranger }))
          assert.match(
            String(refusal),
            /^DATABASE_URL: the certificate of PostgreSQL at \S+ is not accepted \(\w+\): .*sslrootcert$/
          )
        }
        const full = { sslmode: "verify-full", sslrootcert: authority }
        assert.isTrue(yield* encrypted(withWords(url, full, "localhost")))
        assert.match(
          String(yield* encrypted(withWords(url, full))),
          /is of another name: .*; call it by a name in its certificate/
        )
        const system = yield* encrypted(withWords(url, { sslrootcert: "system" }, "localhost"))
        assert.match(String(system), /is not accepted \(\w+\)/)
      })
    )

    it.effect("allow and prefer try the other way once where the server refuses the first", () =>
      Effect.gen(function* () {
        const { lets, url } = yield* Server
        yield* lets("hostssl")
        assert.isTrue(yield* encrypted(withWords(url, { sslmode: "allow" })))
        assert.match(String(yield* encrypted(url)), /no encryption; add sslmode=require, or a stricter word$/)
        yield* lets("hostnossl")
        assert.isFalse(yield* encrypted(withWords(url, { sslmode: "prefer" })))
        yield* lets("host")
      })
    )

    it.effect("of several servers too, where the one that takes writes is looked for under the same words", () =>
      Effect.gen(function* () {
        const { authority, lets, stranger, url } = yield* Server
        yield* lets("hostssl")
        const { password, pathname, port, username } = new URL(url)
        const both = (words: string) =>
          `postgres://${username}:${password}@localhost:${port},127.0.0.1:${port}${pathname}?${words}`
        assert.isTrue(yield* encrypted(both("sslmode=prefer")))
        assert.isTrue(yield* encrypted(both(`sslmode=verify-ca&sslrootcert=${authority}`)))
        const refusal = yield* encrypted(both(`sslmode=verify-ca&sslrootcert=${stranger}`))
        assert.match(String(refusal), /^DATABASE_URL: the certificate of PostgreSQL at localhost:\d+ is not accepted/)
        yield* lets("host")
      })
    )
  })

  it.effect("at a server without TLS prefer and allow go without, and require says that there is none", () =>
    Effect.gen(function* () {
      const url = yield* create("template0")
      for (const sslmode of ["allow", "prefer"]) assert.isFalse(yield* encrypted(withWords(url, { sslmode })))
      const refusal = yield* encrypted(withWords(url, { sslmode: "require" }))
      assert.match(
        String(refusal),
        /^DATABASE_URL: PostgreSQL at \S+ has no TLS, and sslmode asks for it; set ssl = on/
      )
    })
  )

  it("a word that psql does not know, and a file that is not there, are refused before anything connects", () => {
    const refusal = (query: string) =>
      [databaseUrl(`postgres://a,b/d?${query}`), serverUrl(`postgres://a/d?${query}`)].map((read) =>
        Result.isFailure(read) ? read.failure : "taken"
      )
    const same = (query: string, line: RegExp) => {
      for (const told of refusal(query)) assert.match(told, line, query)
    }
    same("sslmode=on", /^expected sslmode to be one of disable, allow, prefer, require, verify-ca, verify-full$/)
    same("sslmode=verify-full&sslrootcert=/gone.pem", /^expected sslrootcert to be a file .* not \/gone\.pem$/)
    same(
      "sslmode=require&sslrootcert=system",
      /^expected sslmode=verify-full beside sslrootcert=system, or no sslmode$/
    )
    same("sslrootcert=system", /^taken$/)
    same("sslmode=require", /^taken$/)
  })
})
