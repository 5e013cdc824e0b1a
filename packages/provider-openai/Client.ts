import { withoutTelemetry } from "@carteiro/vendor-http/VendorFetch.ts"
import OpenAI from "openai"

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
    defaultHeaders: withoutTelemetry
  })
