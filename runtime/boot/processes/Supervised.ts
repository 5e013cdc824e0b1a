import cluster from "node:cluster"
import { Effect, Layer } from "effect"
import { AdminServer, ownPages, pageAt } from "../../admin/AdminServer.ts"
import type { Announcement } from "../Announcement.ts"
import { StartRefused } from "../StartRefused.ts"
import { longestDrainMs, type ToProcess, type ToSupervisor } from "./Channel.ts"

/** The ways in which a process that a supervisor started differs. docs/decisions/0054 */
export interface Supervised {
  /** From 0 up. The process that is started in the place of one that ended has its number. */
  readonly number: number
  /** True in the process that makes or finds the demo organization, in development at the first start. */
  readonly seeds: boolean
}

/** Who this process is, from the words it was started with. */
export const readSupervised = ([number, seeds]: ReadonlyArray<string>): Supervised => {
  // Node's own cluster module would exit at once when the supervisor is gone. This process stops in order instead.
  if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true
  return { number: Number(number), seeds: seeds === "seeds" }
}

/** Tells the supervisor, which prints the one ready line, that this process takes requests. */
export const tellReady = (announcement: Announcement): Effect.Effect<void> =>
  Effect.andThen(
    Effect.logInfo("ready", { url: announcement.url }),
    Effect.sync(() => tell({ type: "ready", announcement }))
  )

/** Tells a refused start to the supervisor, which prints it once, however many processes are refused. */
export const tellSupervisor = <A, E extends { readonly message: string }, R>(program: Effect.Effect<A, E, R>) =>
  Effect.catch(program, ({ message }) =>
    Effect.andThen(
      Effect.callback<void>((resume) => tell({ type: "refused", message }, () => resume(Effect.void))),
      Effect.fail(new StartRefused({ message }))
    )
  )

/** Stands for the admin port, which is the supervisor's: its pages are answered to the supervisor. */
export const adminOfSupervisor = Layer.effect(
  AdminServer,
  Effect.gen(function* () {
    const pages = yield* ownPages
    const fork = Effect.runForkWith(yield* Effect.context<never>())
    yield* listening((message) => {
      if (message.type !== "ask") return
      const { id, path } = message
      const page = pageAt(pages, path) ?? Effect.succeed(undefined)
      fork(Effect.map(page, (answer) => tell({ type: "page", id, page: answer })))
    })
    return AdminServer.of({ url: "", port: 0 })
  })
)

/**
 * Goes between the HTTP listener and the owners: when this process stops, it keeps its owners until the other processes
 * that stop are drained too, as their last requests may need them. Boot contract, "Stopping"
 */
export const leaveTogether = Layer.effectDiscard(
  Effect.addFinalizer(() =>
    Effect.andThen(
      Effect.logInfo("drained; owners stay until every process that stops is drained"),
      Effect.callback<void>((resume) => {
        const done = () => resume(Effect.void)
        if (!process.connected) return done()
        process.once("disconnect", done)
        process.on("message", (message: ToProcess) => {
          if (message.type === "leave") done()
        })
        tell({ type: "drained" })
      }).pipe(Effect.interruptible, Effect.timeoutOption(longestDrainMs))
    )
  )
)

const listening = (onMessage: (message: ToProcess) => void) =>
  Effect.acquireRelease(
    Effect.sync(() => process.on("message", onMessage)),
    () => Effect.sync(() => process.off("message", onMessage))
  )

/** A supervisor that is gone hears nothing, and this process stops by itself. */
const tell = (message: ToSupervisor, onSent: () => void = () => {}): void => {
  if (process.connected) process.send?.(message, undefined, undefined, onSent)
  else onSent()
}
