import { Clock, Effect } from "effect"
import { BoundedMap } from "../BoundedMap.ts"

/** Why the other end of a connection between nodes was not believed. */
export interface RefusedHandshake {
  /** The address that was called, or that called. */
  readonly peer: string
  /** The name in the certificate that it showed, if any. */
  readonly certificate: string | undefined
  /** The code or sentence of the TLS library. */
  readonly reason: string
}

/**
 * Makes what logs refused handshakes. A node tries again several times a second: one reason of one peer is told once a
 * minute.
 */
export const makeHandshakeLog = () => {
  const toldAt = new BoundedMap<string, number>(mostPeers)
  return Effect.fnUntraced(function* (sentence: string, refused: RefusedHandshake) {
    const now = yield* Clock.currentTimeMillis
    const key = `${refused.peer} ${refused.reason}`
    if (now - (toldAt.get(key) ?? Number.NEGATIVE_INFINITY) < quietMillis) return
    toldAt.set(key, now)
    yield* Effect.logWarning(sentence, refused)
  })
}

/** One that a node keeps. */
export type HandshakeLog = ReturnType<typeof makeHandshakeLog>

const quietMillis = 60_000
const mostPeers = 256
