import Telnyx from "telnyx"

/** What describes this machine in the official client's headers: the vendor needs none of it. */
const telemetry = [
  "Lang",
  "Package-Version",
  "OS",
  "Arch",
  "Runtime",
  "Runtime-Version",
  "Retry-Count",
  "Timeout"
] as const

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
    defaultHeaders: Object.fromEntries(telemetry.map((name) => [`X-Stainless-${name}`, null]))
  })
