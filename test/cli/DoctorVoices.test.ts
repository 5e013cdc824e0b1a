import { proveVoiceKeys } from "@carteiro/runtime/app/CredentialProofs.ts"
import { readSettings } from "@carteiro/runtime/boot/Settings.ts"
import { credentialFinding } from "@carteiro/runtime/cli/doctor/CredentialFindings.ts"
import { numberSettingsFindings } from "@carteiro/runtime/cli/doctor/NumberFindings.ts"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { vendorStand } from "../support/VendorStand.ts"

const settingsOf = (env: Readonly<Record<string, string>>) =>
  Effect.provide(readSettings, ConfigProvider.layer(ConfigProvider.fromEnv({ env, preserveEmptyStrings: true })))

/** The three vendors behind one address; each refuses every key but `good`. */
const stand = vendorStand(({ headers, path }) => {
  const key = headers["xi-api-key"] ?? String(headers.authorization).replace("Bearer ", "")
  if (key === "lost") return "lost"
  if (path === "/v2/whoami" && key !== "lost") return { status: 404, body: { errors: [] } }
  if (key !== "good" && key !== "bare") return { status: 401, body: { error: { code: "invalid_api_key" } } }
  const data = path === "/v2/messaging_profiles" && key === "good" ? [{ id: "p", organization_id: "org" }] : []
  return { body: { object: "list", data, meta: { total_pages: 1, page_number: 1 } } }
})

const env = (url: string, keys: readonly [number: string, one: string, two: string]) => ({
  CARTEIRO_NUMPROV_DRIVER: "telnyx",
  CARTEIRO_NUMPROV_API_BASE_URL: url,
  CARTEIRO_NUMPROV_API_KEY: keys[0],
  CARTEIRO_SPEECHPROV1_DRIVER: "openai",
  CARTEIRO_SPEECHPROV1_API_BASE_URL: url,
  CARTEIRO_SPEECHPROV1_API_KEY: keys[1],
  CARTEIRO_SPEECHPROV2_DRIVER: "elevenlabs",
  CARTEIRO_SPEECHPROV2_API_BASE_URL: url,
  CARTEIRO_SPEECHPROV2_API_KEY: keys[2],
  // The bridge has no read that proves a key.
  CARTEIRO_SPEECHPROV3_API_BASE_URL: url,
  CARTEIRO_SPEECHPROV3_API_KEY: "good"
})

it.live("the doctor proves each key of speech and numbers by one read that changes nothing", () =>
  Effect.gen(function* () {
    const { received, url } = yield* stand
    const proofs = yield* proveVoiceKeys(yield* settingsOf(env(url, ["good", "good", "good"])))
    assert.deepStrictEqual(
      proofs.map(({ proof, setting }) => [setting, proof]),
      [
        ["CARTEIRO_NUMPROV_API_KEY", "accepted"],
        ["CARTEIRO_SPEECHPROV1_API_KEY", "accepted"],
        ["CARTEIRO_SPEECHPROV2_API_KEY", "accepted"]
      ]
    )
    assert.deepStrictEqual(received.map(({ method, path }) => `${method} ${path}`).sort(), [
      "GET /v1/models",
      "GET /v1/user/subscription",
      "GET /v2/messaging_profiles",
      "GET /v2/whoami"
    ])
    const refused = (yield* proveVoiceKeys(yield* settingsOf(env(url, ["bare", "bad", "lost"])))).map(credentialFinding)
    assert.deepStrictEqual(
      refused.map(({ status }) => status),
      ["wrong", "wrong", "attention"]
    )
    assert.include(refused[0]?.found, "has no messaging profile")
    assert.include(refused[1]?.found, "CARTEIRO_SPEECHPROV1_API_KEY is refused by speech provider 1")
    for (const { found, remedy } of refused) assert.notMatch(`${found} ${remedy}`, /\b(?:bare|bad|lost)\b/)
  }).pipe(Effect.scoped)
)

it.effect("the doctor says what a driver of numbers lacks to receive verification codes", () =>
  Effect.gen(function* () {
    const findings = (more: Readonly<Record<string, string>>) =>
      Effect.map(settingsOf({ ...env("http://127.0.0.1:9", ["k", "k", "k"]), ...more }), (settings) =>
        numberSettingsFindings(settings).map(({ found }) => found.split(" ")[0])
      )
    const profile = { CARTEIRO_NUMPROV_MESSAGING_PROFILE_ID: "p" }
    assert.deepStrictEqual(yield* findings({}), ["CARTEIRO_NUMPROV_MESSAGING_PROFILE_ID"])
    assert.deepStrictEqual(yield* findings({ ...profile, CARTEIRO_NUMPROV_WEBHOOK_SECRET: "whsec_1" }), [
      "CARTEIRO_NUMPROV_WEBHOOK_SECRET"
    ])
    const key = Buffer.alloc(32, 7).toString("base64")
    assert.deepStrictEqual(yield* findings({ ...profile, CARTEIRO_NUMPROV_WEBHOOK_SECRET: key }), [])
    assert.deepStrictEqual(yield* findings({ CARTEIRO_NUMPROV_DRIVER: "bridge" }), [])
  })
)
