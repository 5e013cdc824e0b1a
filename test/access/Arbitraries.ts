import type { AdmissionFacts } from "@carteiro/runtime/access/admission/Admit.ts"
import { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import fc from "fast-check"

/** 2026-01-01T00:00:00Z, the instant the tests of this room stand at. */
export const now = Date.UTC(2026, 0, 1)

/** Any set of scopes. */
export const scopes = fc.uniqueArray(fc.constantFrom(...KeyScope.literals))

/** Random bytes of one length. */
export const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

/** Every combination of facts an admission read can bring. */
export const facts: fc.Arbitrary<AdmissionFacts> = fc.record({
  organization_id: fc.constant("org_a"),
  project_id: fc.constant("prj_a"),
  environment_id: fc.constant("env_a"),
  api_key_id: fc.constant("key_a"),
  key_prefix: fc.constant("svc_live_a1B2c3D4"),
  environment: fc.constantFrom("sandbox" as const, "production" as const),
  scopes,
  status: fc.constantFrom("active" as const, "revoked" as const),
  expires_at: fc.constantFrom(null, now - 1, now, now + 1),
  organization_suspended: fc.boolean(),
  organization_removed: fc.boolean(),
  credit_blocked: fc.boolean(),
  project_deleted: fc.boolean(),
  capabilities_off: fc.constant([]),
  over_spend_cap: fc.boolean(),
  default_region: fc.constant("BR")
})
