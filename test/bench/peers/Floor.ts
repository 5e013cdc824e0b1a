import { createServer } from "node:http"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"

// The floor: Effect routes that do nothing but what no server can leave out. POST decodes its body, GET answers a
// constant. Environment: PORT.

const Party = Schema.Struct({ type: Schema.String, id: Schema.String })
const Send = Schema.Struct({
  channel: Schema.Literals(["chatapp", "socialapp"]),
  sender: Party,
  recipient: Party,
  message: Schema.Struct({ type: Schema.Literal("text"), text: Schema.Struct({ body: Schema.String }) })
})

const answer = HttpServerResponse.jsonUnsafe({ id: "msg_0", object: "message", status: "queued" }, { status: 202 })
const page = HttpServerResponse.jsonUnsafe({ data: [], has_more: false, next_cursor: null })

const routes = Layer.mergeAll(
  HttpRouter.add("POST", "/v1/messages", Effect.as(HttpServerRequest.schemaBodyJson(Send), answer)),
  HttpRouter.add("GET", "/v1/messages", Effect.succeed(page)),
  HttpRouter.add("GET", "/v1/messages/:id", Effect.succeed(answer))
)

const ready = Layer.effectDiscard(
  Effect.andThen(
    HttpServer.HttpServer,
    Effect.sync(() => process.stdout.write("ready\n"))
  )
)

const main = HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provideMerge(ready),
  Layer.provide(NodeHttpServer.layer(createServer, { port: Number(process.env.PORT ?? 4011), host: "127.0.0.1" }))
)

NodeRuntime.runMain(Layer.launch(main))
