import type { Socket } from "node:net"
import { Clock, Effect, Layer } from "effect"
import { forkHere } from "../Fork.ts"
import { Connection } from "../link/Connection.ts"
import { IncomingLinks, type LinkedOperation } from "../link/Links.ts"
import {
  type AnswerMessage,
  type CallMessage,
  type OperationsMessage,
  type RefusalMessage,
  says
} from "../link/Messages.ts"
import { operationKey } from "../link/OperationKey.ts"
import { toWire } from "../protocol/WireOutcome.ts"
import { Refusals } from "../Refusals.ts"
import { ShardEpochs } from "./ShardEpochs.ts"

/** Calls of one connection that may wait here. Callers limit themselves to fewer. */
const mostCalls = 8192
/** A caller sends a ping every second. After this many silent seconds it counts as gone. */
const mostSilence = 30

/** Answers links for the shards that this node holds. */
export const layerIncoming: Layer.Layer<never, never, ShardEpochs | Refusals> = Layer.effect(
  IncomingLinks,
  Effect.gen(function* () {
    const epochs = yield* ShardEpochs
    const refusals = yield* Refusals
    const clock = yield* Clock.Clock
    const fork = yield* forkHere
    const keys: Array<string> = []
    const operations: Array<LinkedOperation> = []
    const connections = new Set<Connection>()
    const announce = (connection: Connection, first: number) =>
      void connection.send(JSON.stringify([says.operations, first, keys.slice(first)] satisfies OperationsMessage))

    const takeCall = (connection: Connection, waiting: { count: number }, message: CallMessage) => {
      const [, call, number, shard, believed, id, deadline, items, traced] = message
      const refuse = (why: RefusalMessage[0]) =>
        void connection.send(JSON.stringify([why, call] satisfies RefusalMessage))
      const operation = operations[number]
      const epoch = epochs.current(shard)
      if (operation === undefined || epoch === undefined || (believed !== 0 && believed !== epoch))
        return refuse(says.elsewhere)
      if (waiting.count >= mostCalls) return refuse(says.overload)
      const waitsMs = deadline - clock.currentTimeMillisUnsafe()
      // The caller's deadline has passed, for example after this node was frozen.
      if (waitsMs <= 0) return
      waiting.count++
      const answered = Effect.map(operation({ id, items, traced, waitsMs }), (outcomes) =>
        outcomes === undefined
          ? undefined
          : connection.send(
              JSON.stringify([
                says.answer,
                call,
                epoch,
                outcomes.map((one) => toWire(refusals, one))
              ] satisfies AnswerMessage)
            )
      )
      fork(
        Effect.matchCauseEager(answered, {
          onFailure: () => {
            waiting.count--
            refuse(says.elsewhere)
          },
          onSuccess: (bytes) => {
            waiting.count--
            if (bytes === undefined) refuse(says.elsewhere)
          }
        })
      )
    }

    const serve = (socket: Socket, first: Buffer) => {
      const waiting = { count: 0 }
      const connected = Effect.callback<void>((resume) => {
        const connection: Connection = new Connection(socket, {
          messages: (messages) => {
            for (const message of messages) {
              if (isCall(message)) takeCall(connection, waiting, message)
            }
          },
          closed: () => {
            connections.delete(connection)
            resume(Effect.void)
          }
        })
        connections.add(connection)
        connection.start(first)
        announce(connection, 0)
        const look = Effect.sync(() => {
          if (connection.look() > mostSilence) connection.close()
        })
        fork(Effect.repeat(Effect.delay(look, "1 second"), { until: () => connection.closed }))
        return Effect.sync(() => connection.close())
      })
      return connected
    }

    return {
      keyOf: operationKey,
      answer: (key, operation) => {
        operations.push(operation)
        const number = keys.push(key) - 1
        for (const connection of connections) announce(connection, number)
      },
      serve
    }
  })
)

/** True when the message is a call. Messages of other kinds, which a later release may send, are ignored. */
const isCall = (message: unknown): message is CallMessage =>
  Array.isArray(message) &&
  message[0] === says.call &&
  typeof message[5] === "string" &&
  typeof message[6] === "number" &&
  Array.isArray(message[7])
