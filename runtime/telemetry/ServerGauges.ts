import { HttpServer } from "@carteiro/http-edge/Listener.ts"
import { Instruments } from "@carteiro/owners/Instruments.ts"
import { Effect, Layer } from "effect"

/** The gauges of the public listener. */
export const serverGauges = Layer.effectDiscard(
  Effect.gen(function* () {
    const { load } = yield* HttpServer
    const instruments = yield* Instruments
    yield* instruments.reading(
      { name: "http_server_calls_in_flight", help: "Requests being worked on, long polls left out" },
      () => load().calls
    )
    yield* instruments.reading(
      { name: "http_server_held_body_bytes", help: "Bytes of large request bodies held in memory" },
      () => load().bodyBytes
    )
  })
)
