import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ensureDataDir } from "@carteiro/runtime/boot/DataDir.ts"
import { type DevFile, noSimulators, readDevFile, writeDevFile } from "@carteiro/runtime/boot/DevFile.ts"
import { masterKeys } from "@carteiro/runtime/boot/MasterKey.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"

const dataDir = Effect.acquireRelease(
  Effect.sync(() => join(mkdtempSync(join(tmpdir(), "carteiro-data-")), "nested", "data")),
  (path) => Effect.sync(() => rmSync(join(path, "..", ".."), { recursive: true, force: true }))
)

const environment = (name: string) => ({ environment_id: `env_${name}`, api_key: `svc_${name}`, phone_number_id: null })

const file: DevFile = {
  base_url: "http://127.0.0.1:8080",
  organization_id: "org_1",
  project_id: "prj_1",
  sandbox: environment("sbx"),
  production: environment("live"),
  dashboard: { url: null, email: null, sign_in_url: null },
  simulators: { ...noSimulators, upstream: "http://127.0.0.1:1", cardproc_cards: ["pm_card_ok"] },
  database_url: "postgres://127.0.0.1/carteiro",
  admin_url: "http://127.0.0.1:9090"
}

it.effect("makes one private master key of 32 bytes, shared by all processes that start together", () =>
  Effect.gen(function* () {
    const settings = { dataDir: yield* dataDir, masterKeys: undefined, mode: "development" } as const
    const found = yield* Effect.all(
      Array.from({ length: 3 }, () => masterKeys(settings)),
      { concurrency: "unbounded" }
    )
    const texts = found.map((keys) => Buffer.from(Redacted.value(keys)[0]).toString("hex"))
    assert.strictEqual(new Set(texts).size, 1)
    assert.match(texts[0] ?? "", /^[0-9a-f]{64}$/)
    assert.strictEqual(statSync(join(settings.dataDir, "master.key")).mode & 0o777, 0o600)
    assert.deepStrictEqual(readdirSync(settings.dataDir), ["master.key"])
  })
)

it.effect("refuses a master key file that others can read or that contains something else", () =>
  Effect.gen(function* () {
    const settings = { dataDir: yield* dataDir, masterKeys: undefined, mode: "development" } as const
    yield* masterKeys(settings)
    const path = join(settings.dataDir, "master.key")
    chmodSync(path, 0o644)
    assert.match((yield* Effect.flip(masterKeys(settings))).message, /others can read .*chmod 600/)
    writeFileSync(path, "short")
    assert.match((yield* Effect.flip(masterKeys(settings))).message, /does not hold a key of 32 bytes/)
  })
)

it.effect("generates no master key in production", () =>
  Effect.gen(function* () {
    const settings = { dataDir: yield* dataDir, masterKeys: undefined, mode: "production" } as const
    assert.match((yield* Effect.flip(masterKeys(settings))).message, /^CARTEIRO_MASTER_KEY: required in production/)
    assert.isFalse(existsSync(settings.dataDir))
  })
)

it.effect("refuses a data directory that cannot be made, in one line naming the variable", () =>
  Effect.gen(function* () {
    for (const path of ["/dev/null/data", "/proc/carteiro/data"]) {
      const { message } = yield* Effect.flip(ensureDataDir(path))
      assert.match(message, new RegExp(`^CARTEIRO_DATA_DIR: cannot use ${path} \\([A-Z]+\\)$`))
    }
  })
)

it.effect("writes dev.json privately and in one step, and reads it again (Boot contract, Ready)", () =>
  Effect.gen(function* () {
    const path = yield* dataDir
    assert.strictEqual(yield* readDevFile(path), undefined)
    yield* writeDevFile(path, file)
    yield* writeDevFile(path, { ...file, project_id: "prj_2" })
    assert.deepStrictEqual(yield* readDevFile(path), { ...file, project_id: "prj_2" })
    assert.strictEqual(statSync(join(path, "dev.json")).mode & 0o777, 0o600)
    assert.deepStrictEqual(readdirSync(path), ["dev.json"])
    assert.deepStrictEqual(Object.keys(JSON.parse(readFileSync(join(path, "dev.json"), "utf8"))), Object.keys(file))
    const members = [
      "upstream upstream_app_secret upstream_verify_token upstream_phone_number_id upstream_biz_account_id",
      "numprov pixprov1 pixprov2 pixprov2_connection_id pixprov2_api_key pixprov2_webhook_secret pixprov2_platform_api_key pixprov2_platform_webhook_secret pix_api pix_api_control pix_api_client_id pix_api_client_secret pix_api_certificate pix_api_certificate_password pix_api_pix_key cardproc cardproc_cards cardproc_api_key cardproc_webhook_secret speechprov1 speechprov1_api_key speechprov2 speechprov2_api_key speechprov3 speechprov3_api_key"
    ]
    assert.deepStrictEqual(Object.keys(noSimulators), members.join(" ").split(" "))
    assert.deepStrictEqual(new Set(Object.values(noSimulators)), new Set([null]))
    const { numprov: _, ...fewer } = file.simulators
    writeFileSync(join(path, "dev.json"), JSON.stringify({ ...file, simulators: fewer }))
    assert.deepStrictEqual(yield* readDevFile(path), file, "a file of an earlier release")
    writeFileSync(join(path, "dev.json"), "{}")
    assert.strictEqual(yield* readDevFile(path), undefined)
  })
)
