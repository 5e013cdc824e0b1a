import { Layer } from "effect"
import { AccountHttp } from "./AccountHttp.ts"
import { AccountRepo } from "./AccountRepo.ts"
import { AdmissionLayer } from "./AdmissionLayer.ts"
import { EnvironmentEntityLayer } from "./EnvironmentEntityLayer.ts"
import { EnvironmentRepo } from "./EnvironmentRepo.ts"
import { OrganizationEntityLayer } from "./OrganizationEntity.ts"

const repos = Layer.mergeAll(EnvironmentRepo.layer, AccountRepo.layer)

/** Routes and services of the room, and the `Admission` every request of the process passes. */
export const layer = AccountHttp.pipe(Layer.merge(AdmissionLayer), Layer.provide(repos))

/** Owners of the room, for nodes that hold shards. */
export const ownersLayer = Layer.mergeAll(EnvironmentEntityLayer, OrganizationEntityLayer).pipe(Layer.provide(repos))
