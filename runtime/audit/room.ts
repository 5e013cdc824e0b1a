import { hourMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { deleteUpTo, type Job } from "@carteiro/tables/Retention.ts"
import { Clock, Effect, Layer } from "effect"
import { defineRoom } from "../room/Room.ts"
import { AuditLog } from "./AuditLog.ts"
import { AuditLogHttp } from "./AuditLogHttp.ts"
import { AuditRepo } from "./AuditRepo.ts"

/** How long a change is kept: 400 days, in milliseconds. */
const retention = 34_560_000_000

const jobs: ReadonlyArray<Job> = [
  {
    name: "audit.purge",
    everyMs: hourMs,
    run: Effect.flatMap(Clock.currentTimeMillis, (now) => deleteUpTo("audit_log", "created_at", now - retention))
  }
]

/** The changes that people made. */
export const room = defineRoom({
  name: "audit",
  services: AuditLog.layer.pipe(Layer.provide(AuditRepo.layer)),
  routes: AuditLogHttp.pipe(Layer.provide(AuditRepo.layer)),
  jobs
})
