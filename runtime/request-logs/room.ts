import { Layer } from "effect"
import { defineRoom } from "../room/Room.ts"
import { FormerRequestRepo } from "./log/FormerRequestRepo.ts"
import { RequestBlockRepo } from "./log/RequestBlockRepo.ts"
import { RequestLogLookupsHttp } from "./log/RequestLogLookupsHttp.ts"
import { RequestLogReads } from "./log/RequestLogReads.ts"
import { RequestLogRepo } from "./log/RequestLogRepo.ts"
import { requestLogErasers, requestLogJobs } from "./log/RequestLogRetentionRepo.ts"
import { type KeptRequests, RequestLogSettings } from "./log/RequestLogSettings.ts"
import { RequestLogsHttp } from "./log/RequestLogsHttp.ts"
import { requestRecorder } from "./log/RequestLogWriter.ts"

/** The settings that the room reads. */
interface RequestLogValues {
  readonly requestLog: { readonly sandbox: KeptRequests; readonly production: KeptRequests } | undefined
}

/** The request-logs room: the writer and the reads on nodes that answer HTTP, the retention. */
export const room = defineRoom({
  name: "request-logs",
  settings: ({ requestLog }: RequestLogValues) => Layer.succeed(RequestLogSettings, requestLog),
  routes: Layer.merge(
    Layer.merge(RequestLogsHttp, RequestLogLookupsHttp).pipe(Layer.provide(RequestLogReads.layer)),
    requestRecorder
  ).pipe(Layer.provide([RequestLogRepo.layer, RequestBlockRepo.layer, FormerRequestRepo.layer])),
  erasers: requestLogErasers,
  jobs: requestLogJobs
})
