import type { Duplex } from "node:stream"
import { PgConnection, PgProtocol } from "@effect/sql-pg"
import { Effect, Redacted, type Scope } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { tlsChoice } from "./DatabaseTls.ts"
import { dialPlain, dialTls } from "./OptionalTls.ts"

/** One row of text, by the names of its columns. */
export type TextRow = Readonly<Record<string, string | null>>

/** Asks one statement in the simple protocol; fails with what the server says. */
export type AskSimply = (text: string) => Effect.Effect<ReadonlyArray<TextRow>, SqlError>

/**
 * Opens a connection whose statements travel in the simple protocol. The consoles of poolers answer in nothing else, which
 * the driver does not speak: it lets us in, and its socket is read here from then on.
 */
export const simpleConnection = (
  url: string,
  applicationName: string
): Effect.Effect<AskSimply, SqlError, Scope.Scope> =>
  Effect.gen(function* () {
    let socket: Duplex | undefined
    const connection = yield* PgConnection.make({
      url: Redacted.make(url),
      applicationName,
      ssl: false,
      prepare: false,
      stream: () => {
        socket = dialFor(url)
        return socket
      }
    })
    const over = socket
    if (over === undefined) return yield* failure(new Error(`no socket for session ${connection.processId}`))
    over.removeAllListeners("data")
    return (text: string) =>
      ask(over, text).pipe(Effect.timeoutOrElse({ duration: 2000, orElse: () => failure(silent) }))
  })

const silent = new Error("the pooler did not answer within 2000 ms")

const dialFor = (url: string): Duplex => {
  const { ssl, stream } = tlsChoice(url)
  if (stream !== undefined) return stream()
  return typeof ssl === "object" ? dialTls({ url }, ssl) : dialPlain(url)
}

const ask = (socket: Duplex, text: string) =>
  Effect.callback<ReadonlyArray<TextRow>, SqlError>((resume) => {
    const parser = PgProtocol.makeParser()
    const rows: Array<TextRow> = []
    let names: ReadonlyArray<string> = []
    let refusal: Error | undefined
    const end = (result: Effect.Effect<ReadonlyArray<TextRow>, SqlError>) => {
      socket.off("data", read)
      socket.off("close", closed)
      resume(result)
    }
    const closed = () => end(failure(refusal ?? new Error("Connection closed")))
    const read = (chunk: Uint8Array) => {
      for (const message of parser.push(chunk)) {
        if (message._tag === "RowDescription") names = message.fields.map(({ name }) => name)
        if (message._tag === "DataRow") rows.push(rowOf(names, message.values))
        if (message._tag === "ErrorResponse") refusal = Object.assign(new Error(message.fields.message), message.fields)
        if (message._tag === "ReadyForQuery") end(refusal === undefined ? Effect.succeed(rows) : failure(refusal))
      }
    }
    socket.on("data", read)
    socket.once("close", closed)
    socket.write(encodeQuery(text))
    return Effect.sync(() => {
      socket.off("data", read)
      socket.off("close", closed)
    })
  })

const rowOf = (names: ReadonlyArray<string>, values: ReadonlyArray<Uint8Array | null>): TextRow =>
  Object.fromEntries(
    names.map((name, at) => {
      const value = values[at]
      return [name, value === null || value === undefined ? null : Buffer.from(value).toString("utf8")]
    })
  )

/** The message `Query` of PostgreSQL's protocol. */
const encodeQuery = (text: string): Uint8Array => {
  const body = Buffer.from(`${text}\0`)
  const head = Buffer.alloc(5)
  head.write("Q")
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const failure = (cause: Error) =>
  Effect.fail(new SqlError({ reason: new ConnectionError({ cause, message: cause.message, operation: "query" }) }))
