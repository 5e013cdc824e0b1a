import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { provePaymentKeys } from "@carteiro/runtime/app/CredentialProofs.ts"
import { reachVendors } from "@carteiro/runtime/app/Reachability.ts"
import { readSettings } from "@carteiro/runtime/boot/Settings.ts"
import { pixApiAuthorityPath } from "@carteiro/runtime/boot/simulators/PixApiSimulator.ts"
import { credentialFinding } from "@carteiro/runtime/cli/doctor/CredentialFindings.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startMercadopago } from "@carteiro/simulators/mercadopago/Simulator.ts"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { simulatedBank } from "../support/PixApi.ts"
import { dataFolder } from "../support/RunFolder.ts"
import { vendorStand } from "../support/VendorStand.ts"

type Env = Readonly<Record<string, string>>

const settingsOf = (env: Env) =>
  Effect.provide(readSettings, ConfigProvider.layer(ConfigProvider.fromEnv({ env, preserveEmptyStrings: true })))

const findingsOf = Effect.fnUntraced(function* (env: Env) {
  return (yield* provePaymentKeys(yield* settingsOf(env))).map(credentialFinding)
})

const told = (env: Env) =>
  Effect.map(findingsOf(env), (findings) => findings.map(({ found, status }) => `${status}: ${found}`))

const reached = (env: Env) =>
  Effect.map(Effect.flatMap(settingsOf(env), reachVendors), (all) => all.map(({ answers }) => answers))

const folder = Effect.acquireRelease(
  Effect.sync(() => dataFolder("carteiro-doctor-pix-")),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const simulatedMercadopago = Effect.acquireRelease(
  Effect.promise(() => startMercadopago({ now: vendorClock, accounts: [] })),
  (running) => Effect.promise(() => running.close())
)

it.live("the doctor proves the key of the service's own account at Mercado Pago by a read of that account", () =>
  Effect.gen(function* () {
    const { log, url } = yield* simulatedMercadopago
    const env = (key: string, address: string) => ({
      CARTEIRO_PIXPROV2_DRIVER: "mercadopago",
      CARTEIRO_PIXPROV2_API_BASE_URL: address,
      CARTEIRO_PIXPROV2_PLATFORM_API_KEY: key
    })
    assert.deepStrictEqual(yield* told(env("TEST-own", url)), [
      "ok: CARTEIRO_PIXPROV2_PLATFORM_API_KEY is accepted by Pix provider 2."
    ])
    assert.deepStrictEqual(yield* told(env("invalid-own", url)), [
      "wrong: CARTEIRO_PIXPROV2_PLATFORM_API_KEY is refused by Pix provider 2 (unauthorized)."
    ])
    assert.deepStrictEqual(
      log.read(0, null).map(({ kind, outcome }) => [kind, outcome]),
      [
        ["account", "ok"],
        ["account", "credentials_invalid"]
      ]
    )
    // An address at which something else answers proves nothing.
    const other = yield* vendorStand(() => ({ body: {} }))
    const unknown =
      "attention: Whether CARTEIRO_PIXPROV2_PLATFORM_API_KEY is accepted is unknown: Pix provider 2 gave no usable answer."
    assert.deepStrictEqual(yield* told(env("TEST-own", other.url)), [unknown])
    assert.deepStrictEqual(
      other.received.map(({ headers, method, path }) => [method, path, headers.authorization]),
      [["GET", "/users/me", "Bearer TEST-own"]]
    )
    const lost = yield* vendorStand(() => "lost")
    assert.deepStrictEqual(yield* told(env("TEST-own", lost.url)), [unknown])
  }).pipe(Effect.scoped)
)

it.live(
  "the doctor proves the service's own account at an institution by a token and two reads, and says which setting is wrong",
  () =>
    Effect.gen(function* () {
      const { credential, simulator } = yield* simulatedBank
      const dataDir = yield* folder
      const authority = pixApiAuthorityPath({ dataDir })
      mkdirSync(dirname(authority), { recursive: true })
      writeFileSync(authority, simulator.certificates.ca)
      const env = {
        CARTEIRO_DATA_DIR: dataDir,
        CARTEIRO_PIX_API_SIMULATOR_URL: credential.base_url,
        CARTEIRO_PIXPROV2_DRIVER: "pix-api",
        CARTEIRO_PIXPROV2_API_BASE_URL: credential.base_url,
        CARTEIRO_PIXPROV2_PLATFORM_CLIENT_ID: credential.client_id,
        CARTEIRO_PIXPROV2_PLATFORM_API_KEY: credential.client_secret,
        CARTEIRO_PIXPROV2_PLATFORM_CERTIFICATE: credential.certificate_pkcs12_base64,
        CARTEIRO_PIXPROV2_PLATFORM_CERTIFICATE_PASSWORD: credential.certificate_password,
        CARTEIRO_PIXPROV2_PLATFORM_PIX_KEY: credential.pix_key
      }
      assert.deepStrictEqual(yield* told(env), [
        "ok: CARTEIRO_PIXPROV2_PLATFORM_API_KEY is accepted by Pix provider 2."
      ])
      // An institution speaks to callers with a certificate alone.
      assert.deepStrictEqual(yield* reached(env), [true])
      const { CARTEIRO_PIXPROV2_PLATFORM_CERTIFICATE: _file, ...bare } = env
      assert.deepStrictEqual(yield* reached(bare), [false])
      assert.deepStrictEqual(yield* told({ ...env, CARTEIRO_PIXPROV2_PLATFORM_CLIENT_ID: "invalid" }), [
        "wrong: CARTEIRO_PIXPROV2_PLATFORM_API_KEY is refused by Pix provider 2 (credentials_invalid)."
      ])
      const unusable = "cannot be used: the service's own account takes no Pix."
      const { origin } = new URL(credential.base_url)
      assert.deepStrictEqual(yield* told({ ...env, CARTEIRO_PIXPROV2_API_BASE_URL: `${origin}/api/v3` }), [
        `wrong: CARTEIRO_PIXPROV2_API_BASE_URL ${unusable}`
      ])
      const operations = simulator.log.read(0, null).flatMap(({ kind }) => (kind === "handshake" ? [] : kind))
      assert.deepStrictEqual([...new Set(operations)].sort(), ["checkout_lookup", "token", "webhook_read"])
      const calls = simulator.log.read(0, null).length
      assert.deepStrictEqual(yield* told({ ...env, CARTEIRO_PIXPROV2_PLATFORM_PIX_KEY: "529.982.247-25" }), [
        `wrong: CARTEIRO_PIXPROV2_PLATFORM_PIX_KEY ${unusable}`
      ])
      assert.deepStrictEqual(yield* told({ ...env, CARTEIRO_PIXPROV2_PLATFORM_CERTIFICATE_PASSWORD: "another" }), [
        `wrong: CARTEIRO_PIXPROV2_PLATFORM_CERTIFICATE_PASSWORD ${unusable}`
      ])
      assert.deepStrictEqual(yield* told({ ...env, CARTEIRO_PIXPROV2_PLATFORM_CERTIFICATE: "bm90aGluZw==" }), [
        `wrong: CARTEIRO_PIXPROV2_PLATFORM_CERTIFICATE ${unusable}`
      ])
      assert.strictEqual(simulator.log.read(0, null).length, calls)
      // Half an account is a finding about settings, and no reason to call anyone.
      const { CARTEIRO_PIXPROV2_PLATFORM_PIX_KEY: _, ...half } = env
      assert.deepStrictEqual(yield* told(half), [])
      assert.deepStrictEqual(yield* told({ ...env, CARTEIRO_PIXPROV2_API_BASE_URL: "https://127.0.0.1:1" }), [
        "attention: Whether CARTEIRO_PIXPROV2_PLATFORM_API_KEY is accepted is unknown: Pix provider 2 gave no usable answer."
      ])
    }).pipe(Effect.scoped)
)
