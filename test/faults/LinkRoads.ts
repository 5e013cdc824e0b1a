import { createServer, connect as dial, type Server, type Socket } from "node:net"
import { fileURLToPath } from "node:url"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { Effect } from "effect"

/** The faults of a link between two processes. */
export const linkHurts = ["cut", "torn", "trickling", "deaf", "mute", "silent"] as const
export type LinkHurt = (typeof linkHurts)[number]

/** The proxies in front of all processes that own, which other processes dial instead. */
export interface LinkRoads {
  /** The first runner port of each node, in the order asked for. */
  readonly firstPorts: ReadonlyArray<number>
  /** How many there are, one a process. */
  readonly count: number
  /** Settings by which the processes of the product take these roads. */
  readonly env: Readonly<Record<string, string>>
  /**
   * Hurts all connections to one process for so many milliseconds. `cut` ends them at once, `torn` after a part of what comes next,
   * so that a frame is cut anywhere; `trickling` passes a few bytes at a time; `deaf` passes nothing to the process, `mute`
   * nothing from it, `silent` neither. What was held back arrives late, or the connection ends without it.
   */
  readonly hurt: (at: number, hurt: LinkHurt, millis: number, chance: () => number) => Effect.Effect<void>
}

const door = new URL("LinkDoor.ts", import.meta.url)

/** Roads to nodes of so many processes each, until the scope closes. */
export const linkRoads = Effect.fnUntraced(function* (processes: ReadonlyArray<number>) {
  const firstPorts: Array<number> = []
  const roads: Array<Road> = []
  for (const count of processes) {
    const first = yield* freePortsInRow(count)
    firstPorts.push(first)
    for (let n = 0; n < count; n++) roads.push(yield* roadTo(first + n))
  }
  const byPort = Object.fromEntries(roads.map(({ port, runnerPort }) => [runnerPort, port]))
  const links: LinkRoads = {
    firstPorts,
    count: roads.length,
    env: {
      FAULTS_LINK_ROADS: JSON.stringify(byPort),
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --import=${fileURLToPath(door)}`.trim()
    },
    hurt: (at, hurt, millis, chance) => {
      const road = roads[at]
      if (road === undefined) return Effect.void
      if (hurt === "cut") return Effect.sync(() => road.cut())
      return Effect.acquireUseRelease(
        Effect.sync(() => road.suffer(hurt, chance)),
        () => Effect.sleep(millis),
        () => Effect.sync(() => road.heal(chance() < 0.5))
      )
    }
  }
  return links
})

/** The first of so many ports in a row that are free; another program may take one of them before they are used. */
const freePortsInRow = (count: number) =>
  Effect.gen(function* () {
    const first = yield* freePort()
    const ports = Array.from({ length: count }, (_, n) => first + n)
    return { first, areFree: (yield* Effect.forEach(ports, isFree)).every(Boolean) }
  }).pipe(
    Effect.repeat({ until: ({ areFree }) => areFree }),
    Effect.map(({ first }) => first)
  )

const highestPort = 65_535

const isFree = (port: number) =>
  Effect.callback<boolean>((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed(false)))
    if (port > highestPort) return resume(Effect.succeed(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resume(Effect.succeed(true))))
  })

const roadTo = (runnerPort: number) =>
  Effect.acquireRelease(
    Effect.callback<Road>((resume) => {
      const road = new Road(runnerPort)
      road.server.listen(0, "127.0.0.1", () => resume(Effect.succeed(road)))
    }),
    (road) => Effect.sync(() => road.close())
  )

/** All connections to one process. */
class Road {
  readonly runnerPort: number
  readonly server: Server
  private readonly pairs = new Set<readonly [there: Lane, back: Lane]>()
  private hurt: Exclude<LinkHurt, "cut"> | undefined
  private chance: () => number = () => 0

  constructor(runnerPort: number) {
    this.runnerPort = runnerPort
    this.server = createServer((caller) => {
      const runner = dial(runnerPort, "127.0.0.1")
      const pair = [new Lane(caller, runner), new Lane(runner, caller)] as const
      this.pairs.add(pair)
      caller.once("close", () => this.pairs.delete(pair))
      this.apply(pair)
    })
  }

  get port(): number {
    return (this.server.address() as { readonly port: number }).port
  }

  suffer(hurt: Exclude<LinkHurt, "cut">, chance: () => number): void {
    this.hurt = hurt
    this.chance = chance
    for (const pair of this.pairs) this.apply(pair)
  }

  /** Passes everything again; connections that lost something, and with `ends` all that were hurt, end. */
  heal(ends: boolean): void {
    this.hurt = undefined
    if (ends) this.cut()
    for (const pair of this.pairs) for (const lane of pair) lane.pass = "all"
  }

  cut(): void {
    for (const [there] of this.pairs) there.end()
  }

  close(): void {
    this.server.close()
    this.cut()
  }

  private apply([there, back]: readonly [there: Lane, back: Lane]): void {
    const { chance, hurt } = this
    for (const lane of [there, back]) lane.chance = chance
    if (hurt === "torn") there.pass = back.pass = "torn"
    if (hurt === "trickling") there.pass = back.pass = "trickle"
    if (hurt === "deaf" || hurt === "silent") there.pass = "nothing"
    if (hurt === "mute" || hurt === "silent") back.pass = "nothing"
  }
}

type Pass = "all" | "nothing" | "torn" | "trickle"

/** One direction of a connection; bytes keep their order whatever it passes. */
class Lane {
  pass: Pass = "all"
  chance: () => number = () => 0
  private readonly from: Socket
  private readonly to: Socket
  private readonly held: Array<Buffer> = []
  private isMoving = false

  constructor(from: Socket, to: Socket) {
    this.from = from
    this.to = to
    for (const socket of [from, to]) socket.setNoDelay(true)
    from.on("error", () => {})
    from.on("data", (bytes) => {
      this.held.push(bytes)
      if (!this.isMoving) this.move()
    })
    from.on("close", () => to.destroySoon())
  }

  end(): void {
    this.from.destroy()
    this.to.destroy()
  }

  /** Passes what is held, as it may pass now; looks again soon when something has to wait. */
  private move(): void {
    this.isMoving = false
    while (this.held.length > 0) {
      if (this.from.destroyed || this.to.destroyed) return
      if (this.pass === "all") this.to.write(this.take(Number.POSITIVE_INFINITY))
      else if (this.pass === "torn") {
        this.to.end(this.take(Math.floor(this.chance() * (this.held[0]?.length ?? 1))))
        this.from.destroySoon()
        return
      } else {
        if (this.pass === "trickle") this.to.write(this.take(1 + Math.floor(this.chance() * 200)))
        this.isMoving = true
        setTimeout(() => this.move(), 2 + this.chance() * 10)
        return
      }
    }
  }

  private take(bytes: number): Buffer {
    const first = this.held.shift() ?? Buffer.alloc(0)
    if (bytes < first.length) this.held.unshift(first.subarray(bytes))
    return first.subarray(0, bytes)
  }
}
