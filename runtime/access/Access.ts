import { Layer } from "effect"
import { AccountHttp } from "./AccountHttp.ts"
import { AccountRepo } from "./AccountRepo.ts"
import { AdmissionLayer } from "./AdmissionLayer.ts"
import { ApiKeyRepo } from "./ApiKeyRepo.ts"
import { ApiKeysHttp } from "./ApiKeysHttp.ts"
import { ApiKeysLayer } from "./ApiKeysLayer.ts"
import { EnvironmentEntityLayer } from "./EnvironmentEntityLayer.ts"
import { EnvironmentRepo } from "./EnvironmentRepo.ts"
import { OrganizationEntityLayer } from "./OrganizationEntity.ts"
import { SeedRepo } from "./SeedRepo.ts"
import { TenancyLayer } from "./TenancyLayer.ts"

export { ApiKeys } from "./ApiKeys.ts"
export { SeedRepo } from "./SeedRepo.ts"
export { Tenancy } from "./Tenancy.ts"

const repos = Layer.mergeAll(EnvironmentRepo.layer, AccountRepo.layer, ApiKeyRepo.layer)

/** What other rooms and the operator's commands call; stateless, so that each may provide it for itself. */
export const servicesLayer = Layer.mergeAll(ApiKeysLayer, TenancyLayer, SeedRepo.layer).pipe(Layer.provide(repos))

/** Routes and services of the room, and the `Admission` every request of the process passes. */
export const layer = Layer.mergeAll(AccountHttp, ApiKeysHttp).pipe(
  Layer.provideMerge(servicesLayer),
  Layer.merge(AdmissionLayer),
  Layer.provide(repos)
)

/** Owners of the room, for nodes that hold shards. */
export const ownersLayer = Layer.mergeAll(EnvironmentEntityLayer, OrganizationEntityLayer).pipe(Layer.provide(repos))
