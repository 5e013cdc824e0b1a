import { Context } from "effect"

/** Unit of the sandbox's simulated timing, in milliseconds; 0 lets everything happen at once, in order. gaps-2 J */
export const SandboxUnitMs = Context.Reference<number>("@carteiro/runtime/tenancy/SandboxUnitMs", {
  defaultValue: () => 500
})
