import type { Socket } from "node:net"
import { FrameReader, fitsFrame, messageBytes, packFrames, packPart, pingFrame, pongFrame } from "./Frames.ts"

/** A message longer than a frame, with the number of bytes written so far. */
interface LongMessage {
  readonly number: number
  readonly bytes: Buffer
  from: number
}

/** Callbacks of a connection. */
export interface ConnectionEvents {
  readonly messages: (messages: ReadonlyArray<unknown>) => void
  /** Called once; no message arrives after it. */
  readonly closed: () => void
}

/**
 * One connection between two nodes after its handshake. Messages of one turn of the event loop leave in one write. A
 * message longer than a frame leaves in parts, one a turn, so that short ones pass between them.
 */
export class Connection {
  private short: Array<string> = []
  private long: Array<LongMessage> = []
  private lastLong = 0
  private isScheduled = false
  private isClosed = false
  /** Checks of the connection since data last arrived. */
  private silentLooks = 0
  private readonly socket: Socket
  private readonly events: ConnectionEvents

  constructor(socket: Socket, events: ConnectionEvents) {
    this.socket = socket
    this.events = events
  }

  /** Begins to read; `first` are bytes that came with the handshake. */
  start(first: Buffer): void {
    const { socket } = this
    const reader = new FrameReader({
      messages: (messages) => this.events.messages(messages),
      ping: () => void socket.write(pongFrame)
    })
    const push = (chunk: Buffer) => {
      this.silentLooks = 0
      if (!this.isClosed && !reader.push(chunk)) this.close()
    }
    socket.on("data", push)
    socket.on("drain", () => this.schedule())
    // Errors end in a close as well; without a listener they would end the process.
    socket.on("error", () => this.close())
    socket.once("close", () => this.close())
    if (socket.destroyed) this.close()
    else if (first.length > 0) push(first)
    socket.resume()
  }

  get closed(): boolean {
    return this.isClosed
  }

  /** Sends one message, JSON text. Returns its size in bytes; undefined when it is too long for a link. */
  send(message: string): number | undefined {
    const bytes = Buffer.byteLength(message)
    if (bytes > messageBytes) return undefined
    if (this.isClosed) return bytes
    if (fitsFrame(bytes)) this.short.push(message)
    else this.long.push({ number: this.lastLong++ >>> 0, bytes: Buffer.from(message), from: 0 })
    this.schedule()
    return bytes
  }

  /** Asks the other end for a sign of life. */
  ping(): void {
    this.socket.write(pingFrame)
  }

  /** Counts a check of the connection. Returns the number of checks since data last arrived. */
  look(): number {
    return this.silentLooks++
  }

  /** Closes the connection at once. */
  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.short = []
    this.long = []
    this.socket.destroy()
    this.events.closed()
  }

  private schedule(): void {
    if (this.isScheduled || (this.short.length === 0 && this.long.length === 0)) return
    this.isScheduled = true
    setImmediate(() => {
      this.isScheduled = false
      if (!this.isClosed) this.flush()
    })
  }

  private flush(): void {
    const { socket } = this
    const { short } = this
    this.short = []
    const frames = packFrames(short)
    if (frames.length > 1) socket.cork()
    for (const frame of frames) socket.write(frame)
    if (frames.length > 1) socket.uncork()
    const next = this.long[0]
    // Parts wait until the other end reads; the listener of `drain` continues then.
    if (next === undefined || socket.writableNeedDrain) return
    const { frame, to } = packPart(next.number, next.bytes, next.from)
    socket.write(frame)
    next.from = to
    this.long.shift()
    // Long messages take turns.
    if (to < next.bytes.length) this.long.push(next)
    if (!socket.writableNeedDrain) this.schedule()
  }
}
