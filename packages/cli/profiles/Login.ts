import { hostname } from "node:os"
import type { Carteiro, CarteiroApiError } from "@carteiro/sdk"
import { openPage } from "../shell/Browser.ts"
import { now, sleep } from "../shell/Clock.ts"
import { Failure } from "../shell/Failure.ts"
import { defaultBase, type Shell } from "../shell/Shell.ts"
import type { Profile } from "./Profile.ts"
import { readProfiles, saveProfile } from "./ProfileFiles.ts"

export interface LoginOptions {
  readonly production?: boolean
  readonly name?: string
  readonly browser?: boolean
}

/** Scopes that the commands need in production; without writes to billing and payments. */
const productionScopes = [
  "messages:read",
  "messages:write",
  "templates:read",
  "templates:write",
  "contacts:read",
  "contacts:write",
  "groups:read",
  "payments:read",
  "billing:read",
  "phone_numbers:read",
  "provider_connections:read",
  "webhooks:read",
  "webhooks:write",
  "logs:read"
] as const satisfies ReadonlyArray<Carteiro.GrantableScope>

/** Scopes that the commands need in a sandbox, `trigger` included. */
const sandboxScopes: ReadonlyArray<Carteiro.GrantableScope> = [
  ...productionScopes,
  "groups:write",
  "payments:write",
  "phone_numbers:write",
  "provider_connections:write",
  "sandbox:write"
]

const lifetimeMs = 90 * 86_400_000

/** Gets a key by the device flow and saves it as the profile in use. A-DEV-01, A-DEV-16 */
export const login = async (shell: Shell, options: LoginOptions): Promise<void> => {
  const { env } = shell.io
  const baseUrl = (shell.options.apiBase ?? env.CARTEIRO_API_BASE ?? defaultBase).replace(/\/+$/, "")
  const client = await keyless(baseUrl)
  const asked = await client.deviceAuthorizations.create({
    client_name: (options.name ?? `carteiro on ${hostname()}`).slice(0, 80),
    environment: options.production === true ? "production" : "sandbox",
    scopes: options.production === true ? productionScopes : sandboxScopes,
    expires_at: new Date(now() + lifetimeMs).toISOString()
  })
  shell.note(`Approve this key in the browser: ${asked.verification_uri_complete}`)
  shell.note(`Compare the code there: ${shell.paint("bold", asked.user_code)}`)
  if (options.browser !== false) openPage(shell, asked.verification_uri_complete)
  const issued = await approved(shell, client, asked)
  const { Carteiro } = await import("@carteiro/sdk")
  const account = await new Carteiro({ apiKey: issued.api_key.secret, baseUrl }).account.get()
  const profile = await profileOf(shell, baseUrl, issued.api_key, account)
  await saveProfile(shell.io, profile)
  const { api_key: _, ...told } = profile
  const failed = issued.preflight.checks.filter(({ status }) => status === "fail")
  for (const check of failed) shell.note(`${shell.paint("yellow", "note")}: ${check.message}`)
  shell.result(told, `Logged in to ${profile.project}, ${profile.environment}: profile ${profile.name}`)
}

/** Returns a client for the two routes without a key. */
const keyless = async (baseUrl: string): Promise<Carteiro> => {
  const { Carteiro } = await import("@carteiro/sdk")
  return new Carteiro({
    baseUrl,
    apiKey: "none",
    fetch: (url, init) => {
      const headers = new Headers(init?.headers)
      headers.delete("authorization")
      return globalThis.fetch(url, { ...init, headers })
    }
  })
}

type DeviceAuthorization = Awaited<ReturnType<Carteiro["deviceAuthorizations"]["create"]>>
type TokenResponse = Awaited<ReturnType<Carteiro["deviceAuthorizations"]["token"]>>
type Issued = Extract<TokenResponse, { readonly api_key: unknown }>

/** Polls until a person decides; a denial or a timeout ends the login. A-DEV-15, A-DEV-22, A-DEV-23 */
const approved = async (shell: Shell, client: Carteiro, asked: DeviceAuthorization): Promise<Issued> => {
  const { signal } = shell.io
  let intervalMs = asked.interval * 1000
  for (;;) {
    await sleep(intervalMs, signal)
    if (signal.aborted) throw signal.reason
    const answer = await client.deviceAuthorizations
      .token({ grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: asked.device_code }, { signal })
      .catch((error: unknown) => refusalOf(error as CarteiroApiError))
    if ("slowDownMs" in answer) intervalMs = Math.max(intervalMs + 1000, answer.slowDownMs)
    else if ("api_key" in answer) return answer
    else intervalMs = answer.interval * 1000
  }
}

const refusalOf = (error: CarteiroApiError): { readonly slowDownMs: number } => {
  if (error.code === "slow_down") return { slowDownMs: error.retryAfterMs ?? 0 }
  if (error.code === "authorization_denied")
    throw new Failure("the key was refused in the browser", { code: error.code, next: "carteiro login" })
  if (error.code === "device_code_expired")
    throw new Failure("the code was not approved in time", { code: error.code, next: "carteiro login" })
  throw error
}

const profileOf = async (
  shell: Shell,
  baseUrl: string,
  key: Issued["api_key"],
  account: Awaited<ReturnType<Carteiro["account"]["get"]>>
): Promise<Profile> => {
  const kind = account.environment.kind
  const wanted = `${account.project.slug}-${kind}`
  const taken = (await readProfiles(shell.io)).find(({ name }) => name === wanted)
  const isOthers = taken !== undefined && taken.base_url !== baseUrl
  return {
    name: isOthers ? `${wanted}-${new URL(baseUrl).host.replace(/[^\w.-]/g, "-")}` : wanted,
    base_url: baseUrl,
    api_key: key.secret,
    key_id: key.id,
    expires_at: key.expires_at,
    environment: kind,
    environment_id: account.environment.id,
    project: account.project.name,
    organization: account.organization.name
  }
}
