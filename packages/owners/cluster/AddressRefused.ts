import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Data, Effect } from "effect"

/** The address that a listener was given cannot be used: it is taken, not of this machine, or not for this user. */
export class AddressRefused extends Data.TaggedError("AddressRefused")<{
  readonly listener: "public" | "admin" | "runner"
  readonly host: string
  readonly port: number
  /** The system's own word for why, such as `EADDRINUSE`. */
  readonly code: string
}> {
  override get message(): string {
    return `the ${this.listener} listener cannot use ${this.host}:${this.port} (${this.code})`
  }
}

/** Where a server is to listen, and what it is for. */
export interface ListenOptions {
  readonly listener: AddressRefused["listener"]
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly backlog?: number
}

/** Binds the server; answers the address it has, with the port that was free. */
export const listenAt = (server: Server, options: ListenOptions): Effect.Effect<AddressInfo, AddressRefused> =>
  Effect.callback<AddressInfo, AddressRefused>((resume) => {
    const { backlog, host, listener, port } = options
    const onError = (cause: Error) => resume(Effect.fail(addressRefused(options, cause)))
    server.once("error", onError)
    // Of several processes of a node only the public address is shared, and every other is one process's own.
    server.listen(
      { port, host, exclusive: listener !== "public", ...(backlog === undefined ? {} : { backlog }) },
      () => {
        server.off("error", onError)
        resume(Effect.succeed(server.address() as AddressInfo))
      }
    )
  })

/** Binds an address and lets go of it again; answers the port, so that another process can be told to listen there. */
export const tryAddress = (options: ListenOptions): Effect.Effect<number, AddressRefused> =>
  Effect.suspend(() => {
    const server = createServer()
    const released = Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
    return Effect.flatMap(listenAt(server, options), ({ port }) => Effect.as(released, port))
  })

/** Says which address the system refused. */
export const addressRefused = ({ host, listener, port }: ListenOptions, cause: unknown): AddressRefused =>
  new AddressRefused({ listener, host, port, code: codeOf(cause) })

const codeOf = (cause: unknown): string => {
  const code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined
  return code ?? String(cause)
}
