import { loadClient, withoutTelemetry } from "@carteiro/vendor-http/VendorFetch.ts"
import type Telnyx from "telnyx"

/** Loads the client of an account, or returns the one that is loaded. */
export type Client = () => Promise<Telnyx>

/** Loads the official client; the first call does so where nothing did before. */
export const loadTelnyx = () => loadClient(() => import("telnyx"))

/**
 * Returns the official client of one key, whose only way out is `dial`. It repeats no call, logs nothing, reads no credential from the
 * environment and tells nothing about this machine.
 */
export const clientOf = (dial: typeof fetch, baseURL: string, apiKey: string): Client => {
  let made: Telnyx | undefined
  return async () => {
    const { default: Loaded } = await loadTelnyx()
    made ??= new Loaded({
      apiKey,
      baseURL,
      fetch: dial,
      maxRetries: 0,
      logLevel: "off",
      publicKey: null,
      clientID: null,
      clientSecret: null,
      defaultHeaders: withoutTelemetry
    })
    return made
  }
}
