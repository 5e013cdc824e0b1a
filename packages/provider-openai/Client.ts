import { loadClient, withoutTelemetry } from "@carteiro/vendor-http/VendorFetch.ts"
import type OpenAI from "openai"

/** Loads the official client; the first call does so where nothing did before. */
export const loadOpenAi = () => loadClient(() => import("openai"))

/**
 * Returns the official client of one key, whose only way out is `dial`. It repeats no call, logs nothing, reads no key from the
 * environment and tells nothing about this machine.
 */
export const clientOf = async (dial: typeof fetch, baseURL: string, apiKey: string): Promise<OpenAI> => {
  const { default: Client } = await loadOpenAi()
  return new Client({
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
}
