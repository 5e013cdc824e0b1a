import { Layer } from "effect"
import { defineRoom } from "../room/Room.ts"
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

/** The request-logs room: the writer on nodes that answer HTTP, the reads, the retention. */
export const room = defineRoom({
  name: "request-logs",
  settings: ({ requestLog }: RequestLogValues) => Layer.succeed(RequestLogSettings, requestLog),
  services: RequestLogReads.layer.pipe(Layer.provide(RequestLogRepo.layer)),
  routes: Layer.merge(RequestLogsHttp, requestRecorder).pipe(Layer.provide(RequestLogRepo.layer)),
  erasers: requestLogErasers,
  jobs: requestLogJobs
})
