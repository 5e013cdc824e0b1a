import { Clock, Effect } from "effect"
import { BoundedMap } from "../BoundedMap.ts"

/** The reason why a handshake between nodes was refused. */
export interface RefusedHandshake {
  /** The address of the other end. */
  readonly peer: string
  /** The name in the certificate of the other end, if it sent one. */
  readonly certificate: string | undefined
  /** The code or sentence of the TLS library. */
  readonly reason: string
}

/**
 * Makes the log of refused handshakes. A node retries several times a second, so one reason of one peer is logged once
 * a minute.
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

/** The log of refused handshakes that a node keeps. */
export type HandshakeLog = ReturnType<typeof makeHandshakeLog>

const quietMillis = 60_000
const mostPeers = 256
