import { parseExact } from "@carteiro/tables/StoredJson.ts"

/** The most bytes in a frame behind its head. A longer message travels in parts, between other frames. */
export const frameBytes = 64 * 1024
/** The size of the longest message that a link carries, in bytes. */
export const messageBytes = 16 * 1024 * 1024

/** The size of a frame's head: four bytes of length and one of kind. */
const headBytes = 5
/** The size of the number of the message that a part belongs to, in bytes. */
const partHeadBytes = 4

const kinds = { messages: 0, part: 1, lastPart: 2, ping: 3, pong: 4 } as const

/** Returns a frame without content. */
const bare = (kind: number): Buffer => {
  const frame = Buffer.allocUnsafe(headBytes)
  frame.writeUInt32BE(0, 0)
  frame[4] = kind
  return frame
}

export const pingFrame = bare(kinds.ping)
export const pongFrame = bare(kinds.pong)

/** Packs messages, each one JSON text that fits a frame, into as few frames as possible, in order. */
export const packFrames = (messages: ReadonlyArray<string>): ReadonlyArray<Buffer> => {
  const frames: Array<Buffer> = []
  let from = 0
  let bytes = 1
  for (let at = 0; at < messages.length; at++) {
    const more = Buffer.byteLength(messages[at] ?? "") + 1
    if (bytes + more > frameBytes) {
      frames.push(packFrame(messages.slice(from, at), bytes))
      from = at
      bytes = 1
    }
    bytes += more
  }
  if (from < messages.length) frames.push(packFrame(messages.slice(from), bytes))
  return frames
}

/** True when a message fits a frame alone. */
export const fitsFrame = (bytes: number): boolean => bytes + 2 <= frameBytes

const packFrame = (messages: ReadonlyArray<string>, bytes: number): Buffer => {
  const frame = Buffer.allocUnsafe(headBytes + bytes)
  frame.writeUInt32BE(bytes, 0)
  frame[4] = kinds.messages
  frame.write(`[${messages.join()}]`, headBytes)
  return frame
}

/** Returns the part of a message that begins at a byte, as a frame. */
export const packPart = (
  message: number,
  bytes: Buffer,
  from: number
): { readonly frame: Buffer; readonly to: number } => {
  const to = Math.min(bytes.length, from + frameBytes - partHeadBytes)
  const frame = Buffer.allocUnsafe(headBytes + partHeadBytes + to - from)
  frame.writeUInt32BE(partHeadBytes + to - from, 0)
  frame[4] = to === bytes.length ? kinds.lastPart : kinds.part
  frame.writeUInt32BE(message, headBytes)
  bytes.copy(frame, headBytes + partHeadBytes, from, to)
  return { frame, to }
}

/** Callbacks for the content of frames. */
export interface FrameReceiver {
  /** Receives parsed messages in the order they were sent. */
  readonly messages: (messages: ReadonlyArray<unknown>) => void
  readonly ping: () => void
}

/** Reads frames from bytes that may be cut anywhere. */
export class FrameReader {
  /** Chunks of a frame that has not arrived whole, and their size in bytes. */
  private chunks: Array<Buffer> = []
  private gathered = 0
  /** The bytes that the next frame needs, its head included, once its head has arrived. */
  private needed = headBytes
  private readonly parts = new Map<number, Array<Buffer>>()
  private partBytes = 0
  private readonly receiver: FrameReceiver

  constructor(receiver: FrameReceiver) {
    this.receiver = receiver
  }

  /** Takes bytes. Returns false when they are not frames: the connection is unusable then. */
  push(chunk: Buffer): boolean {
    this.chunks.push(chunk)
    this.gathered += chunk.length
    if (this.gathered < this.needed) return true
    const bytes = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks, this.gathered)
    let at = 0
    this.needed = headBytes
    while (bytes.length - at >= headBytes) {
      const length = bytes.readUInt32BE(at)
      if (length > frameBytes) return false
      this.needed = headBytes + length
      if (bytes.length - at < this.needed) break
      if (!this.take(bytes[at + 4] ?? -1, bytes.subarray(at + headBytes, at + this.needed))) return false
      at += this.needed
      this.needed = headBytes
    }
    this.chunks = at === bytes.length ? [] : [bytes.subarray(at)]
    this.gathered = bytes.length - at
    return true
  }

  private take(kind: number, content: Buffer): boolean {
    switch (kind) {
      case kinds.messages:
        return this.parse(content.toString("utf8"))
      case kinds.part:
      case kinds.lastPart:
        return this.takePart(content, kind === kinds.lastPart)
      case kinds.ping:
        this.receiver.ping()
        return true
      default:
        return kind === kinds.pong
    }
  }

  private takePart(content: Buffer, isLast: boolean): boolean {
    // A sender fills each part but the last: smaller ones would cost more memory than the bytes they bring.
    if (content.length < partHeadBytes || (!isLast && content.length !== frameBytes)) return false
    const message = content.readUInt32BE(0)
    const parts = this.parts.get(message) ?? []
    // A copy, because the chunk may hold much other data.
    parts.push(Buffer.from(content.subarray(partHeadBytes)))
    this.partBytes += content.length
    if (!isLast) {
      this.parts.set(message, parts)
      return this.partBytes <= mostPartBytes
    }
    this.parts.delete(message)
    const whole = Buffer.concat(parts)
    this.partBytes -= whole.length + parts.length * partHeadBytes
    return this.parse(`[${whole.toString("utf8")}]`)
  }

  private parse(text: string): boolean {
    const messages = parseList(text)
    if (messages === undefined) return false
    this.receiver.messages(messages)
    return true
  }
}

/** The most bytes of message parts that a reader keeps. */
const mostPartBytes = 4 * messageBytes

const parseList = (text: string): ReadonlyArray<unknown> | undefined => {
  try {
    const list = parseExact(text)
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined
  }
}
