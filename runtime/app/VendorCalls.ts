import { existsSync, readFileSync } from "node:fs"
import { getCACertificates } from "node:tls"
import { Calls, type WatchedCall } from "@carteiro/outbound/Calls.ts"
import { NameResolver } from "@carteiro/outbound/NameResolver.ts"
import { Effect, Layer } from "effect"
import type { SettingsValues } from "../boot/Settings.ts"
import { pixApiAuthorityPath } from "../boot/simulators/PixApiSimulator.ts"

/**
 * The calls to vendors. In development they may also reach the simulated institution, a tenant's URL on this machine, and believe
 * its authority beside the system's; receivers of webhooks may not be there.
 */
export const vendorCalls = (
  settings: Pick<SettingsValues, "dataDir" | "pixApiSimulatorUrl" | "webhookTargetAllowlist">,
  watch?: (call: WatchedCall) => void
): Layer.Layer<Calls> =>
  Layer.unwrap(
    Effect.sync(() => {
      const { pixApiSimulatorUrl: url, webhookTargetAllowlist: allowlist } = settings
      const watched = watch === undefined ? undefined : { watch }
      if (url === undefined) return Calls.layer({ allowlist, ...watched })
      const path = pixApiAuthorityPath(settings)
      const own = existsSync(path) ? [readFileSync(path, "utf8")] : []
      return Calls.layer({
        allowlist: new Set([...allowlist, new URL(url).origin]),
        authorities: [...getCACertificates("default"), ...own],
        ...watched
      })
    })
  ).pipe(Layer.provide(NameResolver.layer))
