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
import { EnvironmentListRepo } from "./EnvironmentListRepo.ts"
import { EnvironmentRepo } from "./EnvironmentRepo.ts"
import { EnvironmentsLayer } from "./EnvironmentsLayer.ts"
import { MemberRepo } from "./MemberRepo.ts"
import { MembersLayer } from "./MembersLayer.ts"
import { OrganizationEntityLayer } from "./OrganizationEntity.ts"
import { OrganizationRepo } from "./OrganizationRepo.ts"
import { OrganizationsLayer } from "./OrganizationsLayer.ts"
import { SeedRepo } from "./SeedRepo.ts"
import { TenancyLayer } from "./TenancyLayer.ts"

export { expiryWithinBounds } from "./ApiKeyRules.ts"
export { ApiKeys } from "./ApiKeys.ts"
export { CallerRepo } from "./CallerRepo.ts"
export { DeviceAuthorizations, type OpenDeviceRequest } from "./DeviceAuthorizations.ts"
export { type EnvironmentEntry, Environments } from "./Environments.ts"
export { type MemberRole, mayDecide, mayManage, memberRoles } from "./MemberRules.ts"
export { type Member, Members } from "./Members.ts"
export { type Organization, Organizations, unknownOrganization } from "./Organizations.ts"
export { SeedRepo } from "./SeedRepo.ts"
export { Tenancy } from "./Tenancy.ts"
export { afterWrongCode, isLocked, type UserCodeLock } from "./UserCodeLock.ts"

const repos = Layer.mergeAll(EnvironmentRepo.layer, AccountRepo.layer, ApiKeyRepo.layer, DeviceRepo.layer)
const peopleRepos = Layer.mergeAll(OrganizationRepo.layer, MemberRepo.layer, EnvironmentListRepo.layer)

/** What people do: the dashboard and the operator's commands. */
const peopleLayer = Layer.mergeAll(OrganizationsLayer, MembersLayer, EnvironmentsLayer).pipe(Layer.provide(peopleRepos))

/** What other rooms and the operator's commands call; stateless, so that each may provide it for itself. */
export const servicesLayer = Layer.mergeAll(ApiKeysLayer, DeviceAuthorizationsLayer, TenancyLayer, SeedRepo.layer).pipe(
  Layer.provide(repos),
  Layer.merge(peopleLayer)
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
