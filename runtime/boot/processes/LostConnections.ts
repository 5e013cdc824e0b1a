import type { Worker } from "node:cluster"

/** Messages of Node's cluster module: `newconn` hands a connection out under a number, `ack` says that it has arrived. */
interface ClusterMessage {
  readonly act?: string
  readonly seq?: number
  readonly ack?: number
}

interface Connection {
  readonly close: () => void
}

/**
 * Closes the connections that were handed to a process which ended before it had them. Node's cluster module forgets
 * them, so that their callers would wait until their own patience ends; a caller that sees the end calls again.
 */
export const closeLostConnections = ({ process: child }: Worker): void => {
  const handed = new Map<number, Connection>()
  const send = child.send.bind(child) as (message: ClusterMessage, ...rest: ReadonlyArray<unknown>) => boolean
  Object.assign(child, {
    send: (message: ClusterMessage, connection?: Connection, ...rest: ReadonlyArray<unknown>) => {
      if (message.act === "newconn" && message.seq !== undefined && connection) handed.set(message.seq, connection)
      return send(message, connection, ...rest)
    }
  })
  child.on("internalMessage", ({ ack }: ClusterMessage) => {
    if (ack !== undefined) handed.delete(ack)
  })
  child.once("exit", () => {
    for (const connection of handed.values()) connection.close()
    handed.clear()
  })
}
