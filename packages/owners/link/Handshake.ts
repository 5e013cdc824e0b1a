import type { Socket } from "node:net"
import { Effect } from "effect"

/** The version of the link that this release speaks. A caller lists all versions that it speaks. */
const version = 1
const newline = 10
const longestLine = 4096
/** The longest that either end waits for the other's first line, in milliseconds of real time. */
const lineWithinMs = 10_000

/**
 * The first line of a caller. A runner without links takes it for a ping of the runtime library's protocol and answers
 * with a pong, so that nodes of two releases can serve together.
 */
export const question = `{"_tag":"Ping","link":[${version}]}\n`
const questionStart = Buffer.from(`{"_tag":"Ping","link":[`)
const isQuestion = new RegExp(`^\\{"_tag":"Ping","link":\\[(?:\\d+,)*${version}(?:,\\d+)*\\]`)

/** The answer of a runner that supports links. */
const answer = `{"_tag":"Link","version":${version}}`

/** Waits for a runner's answer. Returns the bytes behind it; undefined when the runner does not support links. */
export const awaitAnswer = (socket: Socket): Effect.Effect<Buffer | undefined> =>
  Effect.map(readLine(socket), ({ bytes, line }) => (line === answer ? behindLine(bytes) : undefined))

/**
 * Reads the first line of a caller of the runner's socket. When it asks for a link of this version, answers and returns
 * the bytes behind it. Returns undefined for a caller that speaks the runtime library's protocol, and puts its bytes
 * back.
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
  /** The line without its end; undefined when the socket ended before it, or when the line begins in another way. */
  readonly line: string | undefined
  /** All bytes that were read. */
  readonly bytes: Buffer
}

/** Reads until a line has arrived, or until it is clear that it does not begin as expected; a silent peer is cut off. */
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
    // A peer that says nothing must not hold its socket for ever.
    const late = setTimeout(() => socket.destroy(), lineWithinMs).unref()
    const off = () => {
      clearTimeout(late)
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
