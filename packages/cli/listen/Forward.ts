import { request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { type Carteiro, webhooks } from "@carteiro/sdk"
import { now } from "../shell/Clock.ts"
import type { ListenSecrets } from "./Places.ts"

/** The destination of posted events. */
export interface Target {
  readonly url: string
  readonly secrets: ListenSecrets
  readonly skipVerify: boolean
}

/** The result of a post. */
export interface Outcome {
  /** Undefined when the receiver did not answer. */
  readonly status: number | undefined
  readonly durationMs: number
  readonly error: string | undefined
}

/** The time a receiver may take, in milliseconds, as with a delivery of the API. */
const patienceMs = 15_000

/**
 * Posts one event in the form of a delivery of the API: its headers and those of Standard Webhooks, signed now.
 * A-SIG-07
 */
export const post = async (event: Carteiro.Event, target: Target, signal: AbortSignal): Promise<Outcome> => {
  const body = JSON.stringify(event)
  const timestampSeconds = Math.floor(now() / 1000)
  const about = { id: event.id, timestampSeconds }
  const signed = {
    ...(await webhooks.sign(body, target.secrets.signing, about)),
    ...(await webhooks.signStandard(body, target.secrets.standard, about))
  }
  const started = performance.now()
  const ended = (status: number | undefined, error: string | undefined): Outcome => ({
    status,
    error,
    durationMs: Math.round(performance.now() - started)
  })
  return new Promise((resolve) => {
    const dial = target.url.startsWith("https:") ? requestHttps : requestHttp
    const request = dial(
      target.url,
      {
        method: "POST",
        headers: {
          ...signed,
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          "user-agent": "svc-webhooks/1"
        },
        timeout: patienceMs,
        signal,
        ...(target.skipVerify ? { rejectUnauthorized: false } : {})
      },
      (response) => {
        response.resume()
        response.once("error", () => resolve(ended(undefined, "the answer broke off")))
        response.once("end", () => resolve(ended(response.statusCode, undefined)))
      }
    )
    request.once("timeout", () => request.destroy(new Error(`no answer within ${patienceMs / 1000} s`)))
    request.once("error", (error) => resolve(ended(undefined, reasonOf(error))))
    request.end(body)
  })
}

/** Returns the reason of a failure. A refused connection to a name with several addresses has no message. */
const reasonOf = (error: Error & { readonly code?: string }): string =>
  error.message === "" ? (error.code ?? "no connection") : error.message
