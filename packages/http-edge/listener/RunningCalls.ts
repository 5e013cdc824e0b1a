import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect, type Exit, type Fiber } from "effect"
import type { Operation, RawRoute } from "../contract/Route.ts"
import type { Exchange } from "./Exchange.ts"
import { beneathSpan } from "./RequestSpan.ts"

/** The running requests of one node, and the limit on those that count; long polls do not. */
export class RunningCalls {
  readonly fibers = new Set<Fiber.Fiber<unknown, unknown>>()
  private readonly limit: number
  private uncounted = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /** Running requests, without long polls. */
  get counted(): number {
    return this.fibers.size - this.uncounted
  }

  /** True when a route takes no further request. */
  isFull({ isCounted }: Pick<Operation, "isCounted">): boolean {
    return isCounted && this.counted >= this.limit
  }

  /**
   * Runs an effect of a route. A read whose caller is gone is interrupted; a write is finished, so that its idempotency
   * record can answer the retry.
   */
  attempt<A>(
    exchange: Exchange,
    route: Operation | RawRoute,
    work: Effect.Effect<A, ApiError>,
    done: (exit: Exit.Exit<A, ApiError>) => void
  ): void {
    const fiber = Effect.runForkWith(beneathSpan(route.context, exchange.span))(work)
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) {
      done(exit)
      return
    }
    this.fibers.add(fiber)
    if (!route.isCounted) this.uncounted++
    fiber.addObserver((exit) => {
      this.fibers.delete(fiber)
      if (!route.isCounted) this.uncounted--
      done(exit)
    })
    if (exchange.head.method === "GET") {
      exchange.response.on("close", () => {
        if (!exchange.response.writableEnded) fiber.interruptUnsafe()
      })
    }
  }
}
