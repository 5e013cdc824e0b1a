import type { IncomingMessage } from "node:http"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { PayloadTooLarge, ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { httpException } from "../decoding/HttpException.ts"
import { freeBytes, type HeldBytes } from "./BodyBudget.ts"
import { type BodyWatch, standardPace } from "./BodyWatch.ts"

/** The settings for reading one body. */
export interface BodyReading {
  /** The most bytes. A-LIM-01 */
  readonly limit: number
  /** The declared length, if any. */
  readonly length: number | undefined
  /** True when the bytes are only counted and dropped. */
  readonly isDropped: boolean
  readonly watch: BodyWatch
  readonly held: HeldBytes
  /** Called once, before more than `freeBytes` are held: `go` continues on behalf of a holder, or stops the reading. */
  readonly admit: (go: (holder: string | undefined) => void) => void
  readonly done: (bytes: Buffer) => void
  /** Refuses with 413, with 503 when the budget is spent, or with 408 when the body is late; the rest stays unread. */
  readonly refuse: (error: ApiError) => void
}

/**
 * Reads the whole body and calls `done` or `refuse` once. For an aborted body it calls neither, because its caller is
 * gone. A body in a single chunk is passed on without a copy and without being counted. A-ERR-24, A-LIM-03
 */
export const readBody = (request: IncomingMessage, reading: BodyReading): void => {
  const { held, isDropped, length, limit, watch } = reading
  let first: Buffer | undefined
  /** The buffer for the chunks, once there are two. */
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
  /** Reserves that many bytes; false when the budget has none. */
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
  /** During this time the caller waits for the server. */
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
  // Node reports a caller that went away as an error.
  request.on("error", () => {
    leave()
    held.release()
  })
  request.on("data", onData)
  request.on("end", onEnd)
  if (!isDropped && length !== undefined && length > freeBytes) ask()
}

const crowded = () => new ServiceUnavailable({ retry_after_ms: 1000 })

/** Makes the refusal of a body that did not come in time. */
export const late = () => httpException(408, "The request did not arrive in time.")

const empty = Buffer.alloc(0)
