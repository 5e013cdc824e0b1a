import { createServer, connect as dial, type Server, type Socket } from "node:net"
import { Effect } from "effect"

/**
 * A proxy to PostgreSQL whose connections can go silent, as when the host is gone: nothing is refused and nothing is
 * answered.
 */
export interface DatabaseProxy {
  /** The database's URL through the proxy. */
  readonly url: string
  /** Stops all traffic in both directions. New connections are accepted and get no response. */
  readonly vanish: () => void
  /**
   * Resumes all traffic. `resumed`: data held back arrives late, as after a partition. `rebooted`: earlier connections
   * and their data are gone.
   */
  readonly comeBack: (how: "resumed" | "rebooted") => void
  /** Returns the number of client connections. */
  readonly connections: () => number
}

/** A proxy in front of the database of `url`, until the scope closes. */
export const databaseProxy = (url: string) =>
  Effect.acquireRelease(
    Effect.callback<DatabaseProxy & { readonly close: () => void }>((resume) => {
      const roads = new Set<Road>()
      const state = { gone: false }
      const { hostname, port } = new URL(url)
      const server = createServer((client) => {
        const road = new Road(client, () => dial(Number(port || 5432), hostname))
        roads.add(road)
        client.on("close", () => roads.delete(road))
        road.hold(state.gone)
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed({ ...switches(url, server, roads, state) })))
    }),
    ({ close }) => Effect.sync(close)
  )

const switches = (url: string, server: Server, roads: ReadonlySet<Road>, state: { gone: boolean }) => ({
  url: throughPort(url, (server.address() as { readonly port: number }).port),
  vanish: () => {
    state.gone = true
    for (const road of roads) road.hold(true)
  },
  comeBack: (how: "resumed" | "rebooted") => {
    state.gone = false
    for (const road of roads) how === "resumed" ? road.hold(false) : road.break()
  },
  connections: () => roads.size,
  close: () => {
    server.close()
    for (const road of roads) road.break()
  }
})

const throughPort = (url: string, port: number): string =>
  Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(port) }).href

/**
 * One client connection and its connection to the database. Data that a client sent before it left still arrives, as
 * packets under way do.
 */
class Road {
  private upstream: Socket | undefined
  private held = false
  private readonly client: Socket
  private readonly open: () => Socket

  constructor(client: Socket, open: () => Socket) {
    this.client = client
    this.open = open
    client.pause()
    client.on("error", () => {})
  }

  hold(gone: boolean): void {
    this.held = gone
    for (const socket of [this.client, this.upstream]) gone ? socket?.pause() : socket?.resume()
    if (gone || this.upstream !== undefined) return
    const upstream = this.open()
    this.upstream = upstream
    upstream.on("error", () => {})
    this.client.on("data", (bytes) => upstream.write(bytes))
    upstream.on("data", (bytes) => this.client.write(bytes))
    this.client.on("close", () => upstream.end())
    upstream.on("close", () => this.client.destroy())
    if (this.held) upstream.pause()
    this.client.resume()
  }

  break(): void {
    this.client.destroy()
    this.upstream?.destroy()
  }
}
