import { Clock, Effect, Layer } from "effect"
import { deleteUpTo, type Job } from "../platform/sql/Retention.ts"
import { AccountHttp } from "./AccountHttp.ts"
import { AccountRepo } from "./AccountRepo.ts"
import { AdmissionLayer } from "./AdmissionLayer.ts"
import { ApiKeyRepo } from "./ApiKeyRepo.ts"
import { ApiKeysHttp } from "./ApiKeysHttp.ts"
import { ApiKeysLayer } from "./ApiKeysLayer.ts"
import { DeviceAuthorizationsHttp } from "./DeviceAuthorizationsHttp.ts"
import { DeviceAuthorizationsLayer } from "./DeviceAuthorizationsLayer.ts"
import { deviceRetention } from "./DeviceFlow.ts"
import { DeviceRepo } from "./DeviceRepo.ts"
import { EnvironmentEntityLayer } from "./EnvironmentEntityLayer.ts"
import { EnvironmentRepo } from "./EnvironmentRepo.ts"
import { OrganizationEntityLayer } from "./OrganizationEntity.ts"
import { SeedRepo } from "./SeedRepo.ts"
import { TenancyLayer } from "./TenancyLayer.ts"

export { ApiKeys } from "./ApiKeys.ts"
export { DeviceAuthorizations } from "./DeviceAuthorizations.ts"
export { SeedRepo } from "./SeedRepo.ts"
export { Tenancy } from "./Tenancy.ts"

const repos = Layer.mergeAll(EnvironmentRepo.layer, AccountRepo.layer, ApiKeyRepo.layer, DeviceRepo.layer)

/** What other rooms and the operator's commands call; stateless, so that each may provide it for itself. */
export const servicesLayer = Layer.mergeAll(ApiKeysLayer, DeviceAuthorizationsLayer, TenancyLayer, SeedRepo.layer).pipe(
  Layer.provide(repos)
)

/** Routes and services of the room, and the `Admission` every request of the process passes. */
export const layer = Layer.mergeAll(AccountHttp, ApiKeysHttp, DeviceAuthorizationsHttp).pipe(
  Layer.provideMerge(servicesLayer),
  Layer.merge(AdmissionLayer),
  Layer.provide(repos)
)

/** Owners of the room, for nodes that hold shards. */
export const ownersLayer = Layer.mergeAll(EnvironmentEntityLayer, OrganizationEntityLayer).pipe(Layer.provide(repos))

const sweep = (name: string, everyMs: number, table: string, column: string, keptMs: number): Job => ({
  name,
  everyMs,
  run: Effect.flatMap(Clock.currentTimeMillis, (now) => deleteUpTo(table, column, now - keptMs))
})

/** What the room forgets: sessions and links when they end, device requests after 24 hours. */
export const jobs: ReadonlyArray<Job> = [
  sweep("device_authorizations.purge", 600_000, "device_authorizations", "created_at", deviceRetention),
  sweep("sign_in_links.purge", 600_000, "sign_in_links", "expires_at", 0),
  sweep("dashboard_sessions.purge", 600_000, "dashboard_sessions", "expires_at", 0)
]
