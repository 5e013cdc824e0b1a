import type { Scenario } from "@carteiro/runtime/messages/sandbox/SandboxScenario.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, Exit, type Fiber } from "effect"
import { seedKey } from "../support/Tenants.ts"
import type { Moment } from "./Known.ts"
import { ListenBook, type Session } from "./ListenBook.ts"
import { endSession, type Listener, openSession, page, poll } from "./Listening.ts"
import { fence, listenTo, type OwnersRun, send } from "./OwnersRun.ts"
import { codeOf, passing, SendBook } from "./SendBook.ts"

/** What a client of the environment does, and what it knows: what it asked for and what it was answered. */
export class OwnersModel {
  readonly sends = new SendBook()
  readonly listening = new ListenBook()
  /** Keys that listen; a revoked one is replaced. */
  readonly keys: Array<string>
  /** How far each session, or the environment without one, was read. */
  private readonly positions = new Map<string | undefined, number>()
  /** Endpoints somebody stopped or whose receiver was away. */
  readonly disturbed = new Set<number>()
  private readonly run: OwnersRun
  private order = 0

  constructor(run: OwnersRun) {
    this.run = run
    this.keys = [run.environment.key_id, run.second_key_id]
  }

  moment(): Moment {
    return { order: ++this.order, at: this.run.course.now }
  }

  /** From now on what was in memory may be gone, and calls may meet nobody; `moves` when nodes come or go. */
  upset(moves = false): void {
    this.sends.upset(this.moment(), moves)
  }

  /** A customer writes, so many times at once. */
  hears(customer: string, text: string, times = 1): Effect.Effect<void> {
    return Effect.suspend(() => {
      const from = this.moment()
      const consent = this.sends.consentOf(customer)
      const next = text === "STOP" ? [true] : text === "start" ? [false] : consent.now
      consent.set(from, [...consent.now, ...next])
      this.sends.windowOf(customer).set(from, [...this.sends.windowOf(customer).now, from.at])
      const heard = Effect.replicateEffect(listenTo(this.run, customer, text), times, { concurrency: "unbounded" })
      return Effect.map(Effect.orDie(this.run.nodes.on(heard)), () => {
        const to = this.moment()
        consent.set(to, next)
        this.sends.windowOf(customer).set(to, [from.at])
      })
    })
  }

  /** A client sends; its answer is judged when it comes. */
  sendsTo(customer: string, key: string | undefined, scenario: Scenario): Effect.Effect<Fiber.Fiber<string, ApiError>> {
    return Effect.suspend(() => {
      const ask = this.sends.ask(`ask ${this.sends.asks.length}`, customer, key, this.moment())
      return Effect.map(this.run.nodes.begin(send(this.run, ask, scenario)), (fiber) => {
        fiber.addObserver((exit) => this.judging(() => this.sends.answered(ask, exit, this.moment())))
        return fiber
      })
    })
  }

  /** What observers found wrong; thrown where a command can fail. */
  private wrong: unknown

  private judging(judge: () => void): void {
    try {
      judge()
    } catch (error) {
      this.wrong ??= error
    }
  }

  /** Fails with what was found wrong since. */
  get fine(): Effect.Effect<void> {
    return Effect.suspend(() => (this.wrong === undefined ? Effect.void : Effect.die(this.wrong)))
  }

  /** Who reads now: in production whoever opened the session that was made last. */
  private get listener(): { readonly session: Session | undefined; readonly listener: Listener } | undefined {
    if (this.run.environment.kind === "sandbox") {
      return { session: undefined, listener: { api_key_id: this.run.environment.key_id, session_id: undefined } }
    }
    const session = this.listening.latest
    if (session === undefined || !this.keys.includes(session.api_key_id)) return undefined
    return { session, listener: { api_key_id: session.api_key_id, session_id: session.id } }
  }

  /** Reads one page from where the last one ended; true when there is more. */
  reads(limit: number): Effect.Effect<boolean> {
    return Effect.gen({ self: this }, function* () {
      const reader = this.listener
      if (reader === undefined) return false
      const { listener, session } = reader
      const after = this.positions.get(session?.id) ?? 0
      const from = this.moment()
      const read = Effect.retry(page(this.run, listener, after, limit), {
        while: (error) => error._tag === "service_unavailable",
        times: 20
      })
      const exit = yield* Effect.exit(this.run.nodes.on(read))
      const to = this.moment()
      if (Exit.isFailure(exit)) {
        this.listening.refused(session, from, to, codeOf(exit.cause))
        return false
      }
      const found = exit.value
      this.listening.answered({
        session,
        after,
        limit,
        from,
        to,
        found,
        deadline: undefined,
        upset: this.sends.wasUpset({ from, to })
      })
      this.positions.set(session?.id, found.position)
      return found.has_more
    })
  }

  /** A long poll from where the last page ended; what it is answered is judged when it comes. */
  polls(limit: number, millis: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      const reader = this.listener
      if (reader === undefined) return Effect.void
      const { listener, session } = reader
      const after = this.positions.get(session?.id) ?? 0
      const from = this.moment()
      const deadline = from.at + millis
      return Effect.map(this.run.nodes.begin(poll(this.run, listener, after, limit, deadline)), (fiber) => {
        fiber.addObserver((exit) =>
          this.judging(() => {
            const to = this.moment()
            const upset = this.sends.wasUpset({ from, to })
            if (Exit.isSuccess(exit)) {
              this.listening.answered({ session, after, limit, from, to, found: exit.value, deadline, upset })
            } else if (!passing.has(codeOf(exit.cause)) && codeOf(exit.cause) !== "rate_limited") {
              this.listening.refused(session, from, to, codeOf(exit.cause))
            }
          })
        )
      })
    })
  }

  /** A key of production opens a session. */
  opens(nth: number, ttl_seconds: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      const key = this.keys[nth] ?? ""
      const { now } = this.run.course
      return Effect.map(Effect.exit(this.run.nodes.on(openSession(this.run, key, ttl_seconds))), (exit) => {
        this.listening.opened(key, now, Exit.isSuccess(exit) ? { ...exit.value } : codeOf(exit.cause))
      })
    })
  }

  /** A key ends the session that was made last, be it its own or not. */
  ends(nth: number): Effect.Effect<void> {
    return Effect.suspend(() => {
      const session = this.listening.latest
      if (session === undefined) return Effect.void
      const key = this.keys[nth] ?? ""
      const { now } = this.run.course
      return Effect.map(Effect.exit(this.run.nodes.on(endSession(this.run, key, session.id))), (exit) => {
        this.listening.ended(key, session, now, Exit.isSuccess(exit) ? undefined : codeOf(exit.cause))
      })
    })
  }

  /** A key is revoked, wherever its owners are; another takes its place. */
  revokes(nth: number): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const { environment, course, nodes, sql } = this.run
      const key = this.keys[nth]
      if (key === undefined || key === environment.key_id) return
      yield* Effect.orDie(
        sql`update api_keys set status = 'revoked', revoked_at = ${new Date(course.now)} where id = ${key}`
      )
      this.listening.revoked(key, course.now)
      this.keys[nth] = (yield* nodes.beside(seedKey(environment))).key_id
    })
  }

  /** All shards are lost for a moment. */
  get losesShards(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.upset()
      return Effect.asVoid(fence(this.run))
    })
  }
}
