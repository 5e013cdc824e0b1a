import cluster, { type Worker } from "node:cluster"
import { fileURLToPath } from "node:url"
import { Deferred, Effect, Option } from "effect"
import type { Page } from "../../admin/AdminServer.ts"
import type { Announcement } from "../Announcement.ts"
import { nodeFlags } from "../NodeProcess.ts"
import { StartRefused } from "../StartRefused.ts"
import type { ToProcess, ToSupervisor } from "./Channel.ts"
import { closeLostConnections } from "./LostConnections.ts"

/** One of several equal processes, as its supervisor sees it. */
export interface EqualProcess {
  readonly number: number
  readonly pid: number
  /** Completes when it takes requests; fails when it ends before. */
  readonly announced: Effect.Effect<Announcement, StartRefused>
  /** Completes when it has stopped taking requests and answered those it had. */
  readonly drained: Effect.Effect<void>
  /** Completes with how it ended. */
  readonly ended: Effect.Effect<string>
  /** Whether it has ever taken requests. */
  readonly wasReady: () => boolean
  readonly hasEnded: () => boolean
  /** Whether it answers for pages: while it starts, and once it is drained, it does not. */
  readonly hasPages: () => boolean
  /** Asks for a page of its admin port; undefined when no answer comes in time. */
  readonly ask: (path: string) => Effect.Effect<Page | undefined>
  readonly leave: () => void
  readonly signal: (signal: NodeJS.Signals) => void
}

/** Options that a process is started with. */
export interface EqualProcessOptions {
  readonly number: number
  /** Whether it makes the demo organization. */
  readonly seeds: boolean
  /** Settings on top of the supervisor's own. */
  readonly env: Readonly<Record<string, string>>
  /** Whether all processes stop; one that stops alone hands its owners over at once. */
  readonly isStopping: () => boolean
}

const program = fileURLToPath(new URL("../../app/EqualProcess.ts", import.meta.url))

/** The checks of health have two seconds. */
const answerMs = 2500

/** Starts a process that shares the supervisor's public port. */
export const startProcess = (options: EqualProcessOptions): Effect.Effect<EqualProcess> =>
  Effect.gen(function* () {
    const { env, isStopping, number, seeds } = options
    const announced = yield* Deferred.make<Announcement, StartRefused>()
    const drained = yield* Deferred.make<void>()
    const ended = yield* Deferred.make<string>()
    const asked = new Map<number, (page: Page | undefined) => void>()
    let asks = 0
    let isReady = false
    let refusal: string | undefined
    const worker = fork([String(number), ...(seeds ? ["seeds"] : [])], env)
    const send = (message: ToProcess) => {
      // A process that has just ended gets no message, and its end is told by itself.
      if (worker.isConnected()) worker.send(message, () => {})
    }
    worker.on("message", (message: ToSupervisor) => {
      switch (message.type) {
        case "ready":
          isReady = true
          Deferred.doneUnsafe(announced, Effect.succeed(message.announcement))
          return
        case "refused":
          refusal = message.message
          Deferred.doneUnsafe(announced, Effect.fail(new StartRefused({ message: refusal })))
          return
        case "drained":
          Deferred.doneUnsafe(drained, Effect.void)
          if (!isStopping()) send({ type: "leave" })
          return
        case "page":
          asked.get(message.id)?.(message.page)
      }
    })
    const end = (how: string) => {
      const early = new StartRefused({ message: `process ${number} ended ${how} before it was ready` })
      Deferred.doneUnsafe(announced, Effect.fail(early))
      Deferred.doneUnsafe(ended, Effect.succeed(refusal ?? how))
    }
    worker.on("error", (error) => {
      if (worker.process.pid === undefined) end(`with ${error.message}`)
    })
    worker.once("exit", (code, signal) => end(signal ? `by ${signal}` : `with code ${code}`))
    const ask = (path: string) =>
      Effect.callback<Page | undefined>((resume) => {
        const id = ++asks
        asked.set(id, (page) => {
          asked.delete(id)
          resume(Effect.succeed(page))
        })
        send({ type: "ask", id, path })
        return Effect.sync(() => asked.delete(id))
      }).pipe(Effect.timeoutOption(answerMs), Effect.map(Option.getOrUndefined))
    return {
      number,
      pid: worker.process.pid ?? 0,
      announced: Deferred.await(announced),
      drained: Deferred.await(drained),
      ended: Deferred.await(ended),
      wasReady: () => isReady,
      hasPages: () => isReady && !Deferred.isDoneUnsafe(drained) && !Deferred.isDoneUnsafe(ended),
      hasEnded: () => Deferred.isDoneUnsafe(ended),
      ask,
      leave: () => send({ type: "leave" }),
      signal: (signal) => void worker.process.kill(signal)
    } satisfies EqualProcess
  })

const fork = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>): Worker => {
  // Connections are handed out one after the other, so that each process gets its share of those that stay open. On
  // Linux processes that listen at one port for themselves get as many as chance has it. docs/decisions/0054
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({
    exec: program,
    args: [...args],
    execArgv: [...nodeFlags],
    stdio: ["ignore", "inherit", "inherit", "ipc"]
  })
  const worker = cluster.fork(env)
  closeLostConnections(worker)
  return worker
}
