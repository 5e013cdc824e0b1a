import type { Socket } from "node:net"
import { Effect } from "effect"

/** The version of the link that this release speaks. A caller names all that it speaks. */
const version = 1
const newline = 10
const longestLine = 4096

/**
 * The first line of a caller. A runner without a link takes it for a ping of the library's protocol and answers with a
 * pong, so that nodes of two releases serve together.
 */
export const question = `{"_tag":"Ping","link":[${version}]}\n`
const questionStart = Buffer.from(`{"_tag":"Ping","link":[`)
const isQuestion = new RegExp(`^\\{"_tag":"Ping","link":\\[(?:\\d+,)*${version}(?:,\\d+)*\\]`)

/** The answer of a runner that has a link. */
const answer = `{"_tag":"Link","version":${version}}`

/** Waits for the answer of a runner that was asked. Returns the bytes behind it; undefined when it has no link. */
export const awaitAnswer = (socket: Socket): Effect.Effect<Buffer | undefined> =>
  Effect.map(readLine(socket), ({ bytes, line }) => (line === answer ? behindLine(bytes) : undefined))

/**
 * Looks at the first line of a caller of the runner's socket. Returns the bytes behind it when it asks for a link of our
 * version, and answers. Undefined for a caller that speaks the library's protocol: its bytes are put back.
 */
export const answerQuestion = (socket: Socket): Effect.Effect<Buffer | undefined> =>
  Effect.map(readLine(socket, questionStart), ({ bytes, line }) => {
    if (line !== undefined && isQuestion.test(line)) {
      socket.write(`${answer}\n`)
      return behindLine(bytes)
    }
    if (bytes.length > 0 && !socket.readableEnded && !socket.destroyed) socket.unshift(bytes)
    return undefined
  })

const behindLine = (bytes: Buffer): Buffer => bytes.subarray(bytes.indexOf(newline) + 1)

interface FirstLine {
  /** The line without its end; undefined when the socket ended before it, or it begins in another way. */
  readonly line: string | undefined
  /** Everything that was read. */
  readonly bytes: Buffer
}

/** Reads until a line has arrived, or until it is clear that it does not begin as expected. */
const readLine = (socket: Socket, start: Buffer = Buffer.alloc(0)): Effect.Effect<FirstLine> =>
  Effect.callback<FirstLine>((resume) => {
    let bytes: Buffer = Buffer.alloc(0)
    const end = (line: string | undefined) => {
      off()
      resume(Effect.succeed({ line, bytes }))
    }
    const look = () => {
      const chunk: Buffer | null = socket.read()
      if (chunk !== null) bytes = Buffer.concat([bytes, chunk])
      const known = Math.min(bytes.length, start.length)
      if (!bytes.subarray(0, known).equals(start.subarray(0, known))) return end(undefined)
      const at = bytes.indexOf(newline)
      if (at >= 0) end(bytes.toString("utf8", 0, at))
      else if (bytes.length > longestLine) end(undefined)
    }
    const gone = () => end(undefined)
    const off = () => {
      socket.off("readable", look)
      socket.off("close", gone)
      socket.off("end", gone)
    }
    socket.on("readable", look)
    socket.once("close", gone)
    socket.once("end", gone)
    if (socket.destroyed) gone()
    else look()
    return Effect.sync(off)
  })
