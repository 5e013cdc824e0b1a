import { Context } from "effect"

/** The unit of a sandbox's simulated timing, in milliseconds; 0 makes every step happen at once, in order. gaps-2 J */
export const SandboxUnitMs = Context.Reference<number>("@carteiro/runtime/tenancy/SandboxUnitMs", {
  defaultValue: () => 500
})
