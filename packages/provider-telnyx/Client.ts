import { withoutTelemetry } from "@carteiro/vendor-http/VendorFetch.ts"
import Telnyx from "telnyx"

/**
 * Returns the official client of one key, whose only way out is `dial`. It repeats no call, logs nothing, reads no credential from the
 * environment and tells nothing about this machine.
 */
export const clientOf = (dial: typeof fetch, baseURL: string, apiKey: string): Telnyx =>
  new Telnyx({
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
