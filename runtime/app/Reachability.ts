import { Calls, operatorUrl } from "@carteiro/outbound/Calls.ts"
import { ClientCertificate } from "@carteiro/outbound/ClientCertificates.ts"
import { Effect, Redacted } from "effect"
import type { SettingsValues } from "../boot/Settings.ts"
import { vendorCalls } from "./VendorCalls.ts"

/** The vendors with an address of their own, by the setting that holds it. */
const vendors = [
  ["upstreamApiBaseUrl", "CARTEIRO_UPSTREAM_API_BASE_URL"],
  ["numprovApiBaseUrl", "CARTEIRO_NUMPROV_API_BASE_URL"],
  ["pixprov1ApiBaseUrl", "CARTEIRO_PIXPROV1_API_BASE_URL"],
  ["pixprov2ApiBaseUrl", "CARTEIRO_PIXPROV2_API_BASE_URL"],
  ["cardprocApiBaseUrl", "CARTEIRO_CARDPROC_API_BASE_URL"],
  ["speechprov1ApiBaseUrl", "CARTEIRO_SPEECHPROV1_API_BASE_URL"],
  ["speechprov2ApiBaseUrl", "CARTEIRO_SPEECHPROV2_API_BASE_URL"],
  ["speechprov3ApiBaseUrl", "CARTEIRO_SPEECHPROV3_API_BASE_URL"]
] as const

/** Whether one vendor answers at its address. */
export interface Reached {
  readonly setting: string
  /** Name and port of the host; the rest of an address may hold a secret. */
  readonly host: string
  readonly answers: boolean
}

/** Returns the client certificate without which an institution ends the connection; undefined for every other vendor. */
const certificateOf = (settings: SettingsValues, setting: string): ClientCertificate | undefined => {
  const { pixprov2Driver, pixprov2PlatformCertificate: file, pixprov2PlatformCertificatePassword: password } = settings
  if (setting !== "CARTEIRO_PIXPROV2_API_BASE_URL" || pixprov2Driver !== "pix-api" || file === undefined)
    return undefined
  const certificate = ClientCertificate.read(
    Buffer.from(Redacted.value(file), "base64"),
    password === undefined ? "" : Redacted.value(password)
  )
  // The check of the credentials tells what is wrong with it.
  return typeof certificate === "string" ? undefined : certificate
}

const limits = { connectTimeoutMs: 3000, totalTimeoutMs: 4000, maxBytes: 65_536 }

/**
 * Asks every vendor that the settings name, without a key, whether anything speaks HTTP at its address: any status counts
 * as an answer. Takes four seconds at most.
 */
export const reachVendors = (settings: SettingsValues): Effect.Effect<ReadonlyArray<Reached>> =>
  Effect.gen(function* () {
    const calls = yield* Calls
    const named = vendors.flatMap(([key, setting]) => {
      const url = settings[key]
      return url === undefined ? [] : [{ setting, url }]
    })
    return yield* Effect.forEach(
      named,
      ({ setting, url }) => {
        const certificate = certificateOf(settings, setting)
        const request = { method: "GET", url: operatorUrl(url), headers: {}, limits } as const
        return Effect.map(calls.call(certificate === undefined ? request : { ...request, certificate }), (result) => ({
          setting,
          host: new URL(url).host,
          answers: result._tag === "Answered"
        }))
      },
      { concurrency: "unbounded" }
    )
  }).pipe(Effect.provide(vendorCalls(settings)))
