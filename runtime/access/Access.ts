import { Clock, Effect, Layer } from "effect"
import { deleteUpTo, type Job } from "../platform/sql/Retention.ts"
import { edgeAdmission } from "./admission/EdgeAdmission.ts"
import { EnvironmentEntityLayer } from "./admission/EnvironmentEntityLayer.ts"
import { EnvironmentRepo } from "./admission/EnvironmentRepo.ts"
import { OrganizationEntityLayer } from "./admission/OrganizationEntity.ts"
import { DeviceAuthorizationsHttp } from "./devices/DeviceAuthorizationsHttp.ts"
import { DeviceAuthorizationsLayer } from "./devices/DeviceAuthorizationsLayer.ts"
import { deviceRetention } from "./devices/DeviceFlow.ts"
import { DeviceRepo } from "./devices/DeviceRepo.ts"
import { ApiKeyRepo } from "./keys/ApiKeyRepo.ts"
import { ApiKeysHttp } from "./keys/ApiKeysHttp.ts"
import { ApiKeysLayer } from "./keys/ApiKeysLayer.ts"
import { MemberRepo } from "./members/MemberRepo.ts"
import { MembersLayer } from "./members/MembersLayer.ts"
import { AccountHttp } from "./tenancy/AccountHttp.ts"
import { AccountRepo } from "./tenancy/AccountRepo.ts"
import { EnvironmentListRepo } from "./tenancy/EnvironmentListRepo.ts"
import { EnvironmentsLayer } from "./tenancy/EnvironmentsLayer.ts"
import { OrganizationRepo } from "./tenancy/OrganizationRepo.ts"
import { OrganizationsLayer } from "./tenancy/OrganizationsLayer.ts"
import { SeedRepo } from "./tenancy/SeedRepo.ts"
import { TenancyLayer } from "./tenancy/TenancyLayer.ts"

export { DeviceAuthorizations, type OpenDeviceRequest } from "./devices/DeviceAuthorizations.ts"
export { afterWrongCode, isLocked, type UserCodeLock } from "./devices/UserCodeLock.ts"
export { expiryWithinBounds } from "./keys/ApiKeyRules.ts"
export { ApiKeys } from "./keys/ApiKeys.ts"
export { type MemberRole, mayDecide, mayManage, memberRoles } from "./members/MemberRules.ts"
export { type Member, Members } from "./members/Members.ts"
export { CallerRepo } from "./tenancy/CallerRepo.ts"
export { type EnvironmentEntry, Environments } from "./tenancy/Environments.ts"
export { type Organization, Organizations, unknownOrganization } from "./tenancy/Organizations.ts"
export { SeedRepo } from "./tenancy/SeedRepo.ts"
export { Tenancy } from "./tenancy/Tenancy.ts"

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
  Layer.merge(edgeAdmission),
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
