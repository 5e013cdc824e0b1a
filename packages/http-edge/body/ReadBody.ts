import type { IncomingMessage } from "node:http"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { PayloadTooLarge, ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { httpException } from "../decoding/HttpException.ts"
import { freeBytes, type HeldBytes } from "./BodyBudget.ts"
import { type BodyWatch, standardPace } from "./BodyWatch.ts"

/** How one body is read. */
export interface BodyReading {
  /** Bytes at most. A-LIM-01 */
  readonly limit: number
  /** The declared length, if any. */
  readonly length: number | undefined
  /** Whether the bytes are only counted and dropped. */
  readonly isDropped: boolean
  readonly watch: BodyWatch
  readonly held: HeldBytes
  /** Asked once, before more than `freeBytes` are held: `go` goes on in the name of a holder, or reads no more. */
  readonly admit: (go: (holder: string | undefined) => void) => void
  readonly done: (bytes: Buffer) => void
  /** 413, 503 when the budget is spent, 408 when it is late; the rest stays unread. */
  readonly refuse: (error: ApiError) => void
}

/**
 * Reads the whole body and calls `done` or `refuse`, once; an aborted body calls neither, since nobody is left to answer.
 * A body that comes in one piece is handed on as it is: it is neither copied nor counted. A-ERR-24, A-LIM-03
 */
export const readBody = (request: IncomingMessage, reading: BodyReading): void => {
  const { held, isDropped, length, limit, watch } = reading
  let first: Buffer | undefined
  /** Where the pieces gather, once there are two. */
  let gathered: Buffer | undefined
  let size = 0
  let holder: string | undefined
  let isOver = false
  const awaited = watch.begin(standardPace, () => refuse(late()))

  const leave = () => {
    isOver = true
    watch.end(awaited)
    request.off("data", onData)
    request.off("end", onEnd)
  }
  const refuse = (error: ApiError) => {
    leave()
    request.pause()
    held.release()
    reading.refuse(error)
  }
  /** Makes room for so many bytes; false when the budget has none. */
  const makeRoom = (wanted: number): boolean => {
    const before = gathered?.length ?? 0
    if (wanted <= before) return true
    const capacity = length ?? Math.min(limit, Math.max(wanted, 2 * before))
    if (holder !== undefined && !held.take(holder, capacity - before)) return false
    const larger = Buffer.allocUnsafe(capacity)
    if (gathered !== undefined) gathered.copy(larger)
    else first?.copy(larger)
    gathered = larger
    return true
  }
  const onData = (chunk: Buffer) => {
    const before = size
    size += chunk.length
    awaited.received = size
    if (size > limit) return refuse(new PayloadTooLarge())
    if (isDropped) return
    if (before === 0 && gathered === undefined) {
      first = chunk
      return
    }
    if (!makeRoom(size)) return refuse(crowded())
    chunk.copy(gathered as Buffer, before)
    if (size > freeBytes && holder === undefined) ask()
  }
  const onEnd = () => {
    leave()
    reading.done(gathered?.subarray(0, size) ?? first ?? empty)
  }
  /** The caller waits for us meanwhile. */
  const ask = () => {
    awaited.isPaused = true
    request.pause()
    reading.admit((name) => {
      if (isOver) return
      if (name === undefined) return leave()
      holder = name
      if (!held.take(name, gathered?.length ?? 0) || !makeRoom(length ?? 0)) return refuse(crowded())
      awaited.isPaused = false
      request.resume()
    })
  }

  if (length !== undefined && length > limit) {
    refuse(new PayloadTooLarge())
    return
  }
  // Node tells by an error that the caller went away.
  request.on("error", () => {
    leave()
    held.release()
  })
  request.on("data", onData)
  request.on("end", onEnd)
  if (!isDropped && length !== undefined && length > freeBytes) ask()
}

const crowded = () => new ServiceUnavailable({ retry_after_ms: 1000 })

/** The refusal of a body that did not come in time. */
export const late = () => httpException(408, "The request did not arrive in time.")

const empty = Buffer.alloc(0)
