import { Pipeline } from "@carteiro/http-edge/Pipeline.ts"
import { Layer } from "effect"
import { ReportReads } from "../feedback/Feedback.ts"
import { defineRoom } from "../room/Room.ts"
import { McpHttp } from "./McpHttp.ts"

/** The mcp room: tools for agents at `/mcp`. They call operations through the pipeline that serves them over HTTP. */
export const room = defineRoom({
  name: "mcp",
  routes: McpHttp.pipe(Layer.provide(Layer.merge(Pipeline.layer, ReportReads.layer)))
})
