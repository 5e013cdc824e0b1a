import OpenAI from "openai"

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
 * Returns the official client of one key, whose only way out is `dial`. It repeats no call, logs nothing, reads no key from the
 * environment and tells nothing about this machine.
 */
export const clientOf = (dial: typeof fetch, baseURL: string, apiKey: string): OpenAI =>
  new OpenAI({
    apiKey,
    baseURL,
    fetch: dial,
    maxRetries: 0,
    logLevel: "off",
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: Object.fromEntries(telemetry.map((name) => [`X-Stainless-${name}`, null]))
  })
