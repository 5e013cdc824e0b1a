import { Calls } from "@carteiro/outbound/Calls.ts"
import { keyOf } from "@carteiro/provider-pix-api/Accounts.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startPixApi } from "@carteiro/simulators/pix-api/Simulator.ts"
import { Effect, Layer, Redacted } from "effect"
import { noNames } from "./Vendors.ts"

const client_secret = "secret-1"
const clients = ["client-1", "client-2"].map((client_id) => ({ client_id, client_secret }))

/** A simulated bank while the scope is open, with the credentials of one of its two clients and calls that believe its authority. */
export const simulatedBank = Effect.map(
  Effect.acquireRelease(
    Effect.promise(() => startPixApi({ now: vendorClock, workMs: 0, accounts: clients })),
    (running) => Effect.promise(() => running.close())
  ),
  (simulator) => {
    const { certificates } = simulator
    const credential = {
      base_url: `${simulator.url}/api/v2`,
      client_id: "client-1",
      client_secret,
      certificate_pkcs12_base64: certificates.clientPkcs12.toString("base64"),
      certificate_password: certificates.password,
      pix_key: "shop@example.com"
    }
    const calls = Calls.layer({
      allowlist: new Set([new URL(simulator.url).origin]),
      authorities: [certificates.ca]
    }).pipe(Layer.provide(noNames))
    const key = Redacted.make(keyOf(credential))
    return { simulator, credential, key, calls }
  }
)
