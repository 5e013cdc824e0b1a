import { type ApiKeyRow, readApiKey, readApiKeyWithSecret } from "@carteiro/runtime/access/keys/ApiKeyRead.ts"
import { readAccount } from "@carteiro/runtime/access/tenancy/AccountRead.ts"
import { AccountProfile } from "@carteiro/schema/access/Account.ts"
import { ApiKey, ApiKeyWithSecret } from "@carteiro/schema/access/ApiKey.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const ulid = "01kah7v3m8q6x2r9d4t5w0y1z3"
const row: ApiKeyRow = {
  id: `key_${ulid}`,
  name: "CI",
  key_prefix: "svc_sbx_a1B2c3D4",
  scopes: jsonText(["messages:read", "api_keys:admin"]),
  kind: "standard",
  status: "active",
  environment: "sandbox",
  last_used_at: null,
  expires_at: Date.parse("2027-01-01T00:00:00Z"),
  created_at: Date.parse("2026-01-01T00:00:00.5Z"),
  revoked_at: null
}
const account = {
  organization_id: `org_${ulid}`,
  organization_name: "Demo",
  organization_created_at: Date.parse("2026-01-01T00:00:00Z"),
  project_id: `prj_${ulid}`,
  project_name: "Main",
  project_slug: "main",
  project_default_language: "pt_BR",
  project_default_region: "BR",
  environment_id: `env_${ulid}`,
  owner_name: "Ana",
  owner_email: "owner@demo.test"
} as const

describe("Access reads", () => {
  it("a key read carries every field and no secret A-KEY-01 A-KEY-02 A-KEY-03 A-KEY-04 A-KEY-05 A-KEY-06 A-KEY-07", () => {
    const read = readApiKey(row)
    assert.deepStrictEqual(read, {
      id: row.id,
      object: "api_key",
      name: "CI",
      key_prefix: "svc_sbx_a1B2c3D4",
      scopes: ["messages:read", "api_keys:admin"],
      kind: "standard",
      status: "active",
      environment: "sandbox",
      last_used_at: null,
      expires_at: "2027-01-01T00:00:00.000Z",
      created_at: "2026-01-01T00:00:00.500Z",
      revoked_at: null
    })
    assert.isTrue(Schema.is(ApiKey)(read))
  })

  it("create and rotate answers add only the secret A-KEY-07 A-KEY-09 A-KEY-26", () => {
    const read = readApiKeyWithSecret(row, "svc_sbx_secret")
    assert.deepStrictEqual(read, { ...readApiKey(row), secret: "svc_sbx_secret" })
    assert.isTrue(Schema.is(ApiKeyWithSecret)(read))
  })

  it("a revoked key shows its revocation A-KEY-29", () => {
    const revoked_at = Date.parse("2026-02-01T00:00:00Z")
    assert.include(readApiKey({ ...row, status: "revoked", revoked_at }), {
      status: "revoked",
      revoked_at: "2026-02-01T00:00:00.000Z"
    })
  })

  it("the profile names its tenancy, the key and one owner A-ACCT-01 A-ACCT-04 A-ACCT-05 A-ACCT-06 A-ACCT-07", () => {
    const profile = readAccount(account, row)
    assert.isTrue(Schema.is(AccountProfile)(profile))
    assert.deepStrictEqual(Object.keys(profile), [
      "object",
      "organization",
      "project",
      "environment",
      "api_key",
      "dashboard_owner"
    ])
    assert.deepStrictEqual(profile.environment, { id: `env_${ulid}`, object: "environment", kind: "sandbox" })
    assert.deepStrictEqual(profile.api_key, readApiKey(row))
    assert.deepStrictEqual(profile.dashboard_owner, { name: "Ana", email: "owner@demo.test" })
    assert.notInclude(JSON.stringify(profile), '"secret"')
  })

  it("an organization without an active owner has a null owner A-ACCT-05", () => {
    const profile = readAccount({ ...account, owner_name: null, owner_email: null }, row)
    assert.isNull(profile.dashboard_owner)
    assert.isTrue(Schema.is(AccountProfile)(profile))
  })
})
