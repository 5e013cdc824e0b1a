import { Deferred, Effect, Latch } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import type { Seeds } from "../faults/Seeds.ts"
import type { Course } from "./Course.ts"

/** How the database is reached from every node now. */
export interface Trouble {
  /** So many of the next statements may lose their connection, before or after they ran. */
  losses: number
  /** Milliseconds a statement, and its answer, are on the way at most. */
  slowness: number
}

/**
 * One node's ways out: every statement and every request passes here, in its turn. A node that stands still asks for
 * nothing and hears nothing until it goes on; what it had sent arrives all the same.
 */
export class Ways {
  private stands = false
  private readonly moving = Latch.makeUnsafe(true)
  private readonly course: Course
  private readonly seeds: Seeds
  private readonly trouble: Trouble

  constructor(course: Course, seeds: Seeds, trouble: Trouble) {
    this.course = course
    this.seeds = seeds
    this.trouble = trouble
  }

  /** The node stands still, with everything under way. */
  hold(): void {
    this.stands = true
    this.moving.closeUnsafe()
  }

  /** It goes on where it stood. */
  release(): void {
    this.stands = false
    this.moving.openUnsafe()
  }

  /** Waits for its turn, and for the node to move. */
  pass(label: string): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      do {
        yield* this.course.turn(label)
        yield* this.moving.await
      } while (this.stands)
    })
  }

  /** A statement on its way to PostgreSQL and its answer on the way back; it arrives although who asks stops waiting. */
  ask<A>(label: string, statement: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    return Effect.withFiber((fiber) => {
      const answer = Deferred.makeUnsafe<A, SqlError>()
      Effect.runForkWith(fiber.context)(Deferred.into(this.trip(label, statement), answer))
      return Deferred.await(answer)
    })
  }

  private trip<A>(label: string, statement: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    const sent = this.seeds.chance(0.5)
    const [there, back] = [this.delay(), this.delay()]
    const loses =
      this.trouble.losses > 0 && this.seeds.chance(0.5) ? this.seeds.pick(["statement", "answer"]) : undefined
    if (this.trouble.losses > 0) this.trouble.losses--
    return Effect.gen({ self: this }, function* () {
      yield* there
      yield* sent ? this.course.turn(label) : this.pass(label)
      if (loses === "statement") return yield* Effect.fail(lost(label))
      const exit = yield* Effect.exit(this.course.really(statement))
      yield* back
      yield* this.pass(`answer to ${label}`)
      if (loses === "answer") return yield* Effect.fail(lost(label))
      return yield* exit
    })
  }

  private delay(): Effect.Effect<void> {
    return this.trouble.slowness > 0 ? Effect.sleep(this.seeds.between(0, this.trouble.slowness)) : Effect.void
  }
}

/** What the errors of lost connections say. */
export const connectionLost = "connection lost by the schedule"

const lost = (label: string) =>
  new SqlError({ reason: new ConnectionError({ cause: new Error(label), message: connectionLost }) })
