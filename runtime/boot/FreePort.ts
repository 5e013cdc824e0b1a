import { randomInt } from "node:crypto"
import { createServer } from "node:net"
import { Effect } from "effect"

/**
 * Systems hand out ports from 32768 (Linux) or 49152 (macOS) upwards to connections that leave. A port from that range may
 * be gone before the process that it was chosen for listens there; one below it is taken by listeners alone.
 */
const lowest = 20_000
const highest = 32_767

const tries = 100

/** Returns the wanted port of 127.0.0.1 when it is free, otherwise (and for 0) a free one below the system's own range. */
export const freePort = (wanted = 0): Effect.Effect<number> =>
  Effect.gen(function* () {
    if (wanted !== 0 && (yield* isFree(wanted))) return wanted
    for (let tried = 0; tried < tries; tried++) {
      const port = randomInt(lowest, highest + 1)
      if (yield* isFree(port)) return port
    }
    return yield* Effect.die("no free port on 127.0.0.1")
  })

const isFree = (port: number): Effect.Effect<boolean> =>
  Effect.callback<boolean>((resume) => {
    const probe = createServer()
    probe.once("error", () => resume(Effect.succeed(false)))
    probe.listen(port, "127.0.0.1", () => void probe.close(() => resume(Effect.succeed(true))))
  })
