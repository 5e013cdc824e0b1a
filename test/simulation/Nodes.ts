import { Draining } from "@carteiro/http-edge/Listener.ts"
import { Context, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { ShardEpochs } from "../../packages/owners/cluster/ShardEpochs.ts"
import { makeSeeds } from "../faults/Seeds.ts"
import type { Course, Regular } from "./Course.ts"
import { layerNode, type NodeServices, type NodeSetting } from "./Node.ts"
import { Sweeps } from "./Sweeps.ts"
import { type Trouble, Ways } from "./Ways.ts"
import { second } from "./World.ts"

interface Node {
  /** It acts on what it knows, be that true or not. */
  awake: boolean
  readonly ways: Ways
  readonly scope: Scope.Closeable
  readonly context: Context.Context<NodeServices>
}

/** One node after another over one database, and those that have not noticed yet that another took their place. */
export class Nodes {
  readonly trouble: Trouble = { losses: 0, slowness: 0 }
  private node: Node | undefined
  private readonly former: Array<Node> = []
  private made = 0
  private readonly sweeper: Sweeps
  private readonly course: Course
  private readonly setting: Omit<NodeSetting, "ways" | "seed" | "holds">
  private readonly seed: number

  constructor(course: Course, seed: number, setting: Omit<NodeSetting, "ways" | "seed" | "holds">) {
    this.course = course
    this.seed = seed
    this.setting = setting
    this.sweeper = new Sweeps(course, setting.database.sql, (effect) => this.begin(effect))
  }

  private get here(): Node {
    if (this.node === undefined) throw new Error("no node has started")
    return this.node
  }

  /** A node takes every shard. */
  get start(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const number = ++this.made
      // A node that finds no database tries again later, by a timer that virtual time knows nothing of.
      const { losses } = this.trouble
      this.trouble.losses = 0
      const seed = `node ${number} of ${this.seed}`
      const ways = new Ways(this.course, makeSeeds(`ways of ${seed}`), this.trouble)
      const scope = yield* Scope.make()
      const layer = layerNode({ ...this.setting, ways, seed, holds: () => number === this.made })
      const building = yield* Effect.forkChild(
        Layer.buildWithMemoMap(layer, Layer.makeMemoMapUnsafe(), scope) as Effect.Effect<Context.Context<NodeServices>>
      )
      yield* this.course.ended(building, idle)
      const context = yield* Fiber.join(building)
      const epochs = Context.get(context, ShardEpochs)
      yield* this.course.until(this.course.now + 10 * second, () => epochs.held() > 0, idle)
      this.trouble.losses = losses
      this.sweeper.moved()
      this.node = { awake: true, context: Context.merge(context, this.setting.time), scope, ways }
    })
  }

  /** Begins something on the node there is now. */
  begin<A, E>(effect: Effect.Effect<A, E, NodeServices>): Effect.Effect<Fiber.Fiber<A, E>> {
    return Effect.forkDetach(Effect.provideContext(effect, this.here.context))
  }

  /** Runs something beside the course, in real time and reaching the database directly. */
  beside<A, E>(effect: Effect.Effect<A, E, NodeServices>): Effect.Effect<A, E> {
    const { sql } = this.setting.database
    return Effect.provideContext(effect, Context.add(this.here.context, SqlClient.SqlClient, sql))
  }

  /** Waits until something that was begun has ended. */
  wait(fiber: Fiber.Fiber<unknown, unknown>): Effect.Effect<void> {
    return this.course.ended(fiber, this.sweeper)
  }

  /** Runs something on the node there is now until it is answered. */
  on<A, E>(effect: Effect.Effect<A, E, NodeServices>): Effect.Effect<A, E> {
    return Effect.flatMap(this.begin(effect), (fiber) => Effect.andThen(this.wait(fiber), Fiber.join(fiber)))
  }

  /** Lets so many things happen, as far as they happen now. */
  few(things: number): Effect.Effect<void> {
    let left = things
    return this.course.until(this.course.now, () => left-- <= 0, this.sweeper)
  }

  /** Lets so much time pass, with everything that is due. */
  turn(millis: number): Effect.Effect<void> {
    return this.course.until(this.course.now + millis, () => false, this.sweeper)
  }

  /** The node stops in good order, and another starts. */
  get stop(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      yield* Context.get(this.here.context, Draining).begin
      yield* this.close(this.here)
      yield* this.start
    })
  }

  /** The node stands still, dead or frozen, and another takes its place. */
  get takeOver(): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.here.awake = false
      this.here.ways.hold()
      this.former.push(this.here)
      return this.start
    })
  }

  /** A node whose place was taken goes on where it stood, and finds out by itself. */
  wake(): void {
    const node = this.former.find(({ awake }) => !awake)
    if (node === undefined) return
    node.awake = true
    node.ways.release()
  }

  /** Nodes whose place was taken end: those that woke in good order; the others never say anything again. */
  get endFormer(): Effect.Effect<void> {
    return Effect.suspend(() =>
      Effect.forEach(
        this.former.splice(0).filter(({ awake }) => awake),
        (node) => this.close(node),
        { discard: true }
      )
    )
  }

  /** Every node there ever was ends. */
  get end(): Effect.Effect<void> {
    return Effect.andThen(
      this.endFormer,
      Effect.suspend(() => this.close(this.here))
    )
  }

  private close({ scope }: Node): Effect.Effect<void> {
    return Effect.flatMap(Effect.forkChild(Scope.close(scope, Exit.void)), (fiber) =>
      Effect.andThen(this.course.ended(fiber, idle), Fiber.join(fiber))
    )
  }
}

const idle: Regular = { next: Effect.succeed(undefined), run: Effect.void }
