import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Data, Effect } from "effect"

/**
 * A listener cannot use its address: the port is taken, the host is not of this machine, or the user lacks the
 * permission.
 */
export class AddressRefused extends Data.TaggedError("AddressRefused")<{
  readonly listener: "public" | "admin" | "runner"
  readonly host: string
  readonly port: number
  /** The system's error code, such as `EADDRINUSE`. */
  readonly code: string
}> {
  override get message(): string {
    return `the ${this.listener} listener cannot use ${this.host}:${this.port} (${this.code})`
  }
}

/** The address of a server, and the purpose it serves. */
export interface ListenOptions {
  readonly listener: AddressRefused["listener"]
  readonly host: string
  /** The port; 0 takes any free one. */
  readonly port: number
  readonly backlog?: number
}

/** Binds the server. Returns its address, with the port that was chosen. */
export const listenAt = (server: Server, options: ListenOptions): Effect.Effect<AddressInfo, AddressRefused> =>
  Effect.callback<AddressInfo, AddressRefused>((resume) => {
    const { backlog, host, listener, port } = options
    const onError = (cause: Error) => resume(Effect.fail(addressRefused(options, cause)))
    server.once("error", onError)
    // Processes of one node share the public address alone. Every other address belongs to one process.
    server.listen(
      { port, host, exclusive: listener !== "public", ...(backlog === undefined ? {} : { backlog }) },
      () => {
        server.off("error", onError)
        resume(Effect.succeed(server.address() as AddressInfo))
      }
    )
  })

/** Binds an address and releases it again. Returns the port, so that another process can be told to listen there. */
export const tryAddress = (options: ListenOptions): Effect.Effect<number, AddressRefused> =>
  Effect.suspend(() => {
    const server = createServer()
    const released = Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
    return Effect.flatMap(listenAt(server, options), ({ port }) => Effect.as(released, port))
  })

/** Returns the error that says which address the system refused. */
export const addressRefused = ({ host, listener, port }: ListenOptions, cause: unknown): AddressRefused =>
  new AddressRefused({ listener, host, port, code: codeOf(cause) })

const codeOf = (cause: unknown): string => {
  const code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined
  return code ?? String(cause)
}
