import type { SetupTarget } from "@carteiro/schema/provider-connections/SetupSession.ts"
import { Context } from "effect"

/** The targets that this installation can reach in production; a sandbox simulates all of them. M-SETUP-12 */
export const SetupTargets = Context.Reference<ReadonlySet<SetupTarget>>(
  "@carteiro/runtime/provider-connections/setup/SetupTargets",
  { defaultValue: () => new Set() }
)
