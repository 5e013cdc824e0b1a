import { isShipped, placeOf, resolveImport } from "./Places.ts"
import type { Import } from "./SourceText.ts"

/** The module that tells how far the time of one tenant is from the node's. */
const tenantClocks = "packages/owners/clock/OwnerClocks.ts"
const engine = "packages/owners/"

/**
 * Who else may know that a sandbox's time is not the node's, and how each keeps production out. All others decide on the
 * clock that they are given.
 */
const readers: Readonly<Record<string, string>> = {
  "runtime/sandbox/clock/ClockRepo.ts": "reads clocks of environments of kind sandbox alone",
  "runtime/sandbox/room.ts": "hands that to the engine",
  "runtime/access/admission/EnvironmentRepo.ts": "admission reads the clock where the kind is sandbox",
  "packages/http-edge/admission/Admission.ts": "the type of what admission tells of its caller",
  "packages/http-edge/pipeline/Pipeline.ts": "runs a handler on the clock of its caller",
  "runtime/customers/CustomerIdsLayer.ts": "a cache of ids is of one era: a reset of a sandbox ends it",
  "runtime/messages/number/PhoneNumberOwners.ts":
    "a cache of conversations is of one era: a reset of a sandbox ends it",
  "packages/console/kit/DuringReset.ts": "the console changes nothing in a sandbox that is emptied",
  "runtime/tenancy/EnvironmentTime.ts":
    "a page of a sandbox tells its time, and what goes to another environment takes the time there",
  "packages/console/kit/Pages.ts": "the banner of a sandbox that was turned"
}

/** Why an import of the tenants' clocks is refused: code that production runs has no way to a sandbox's lead. */
export const clockLead = (from: string, { specifier }: Import): string | undefined =>
  isShipped(placeOf(from)) &&
  !from.startsWith(engine) &&
  !Object.hasOwn(readers, from) &&
  resolveImport(from, specifier) === tenantClocks
    ? "only admission, the engine, the sandbox and the console's frame know that a tenant's time is not the node's"
    : undefined
