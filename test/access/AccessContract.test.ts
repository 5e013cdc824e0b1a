import { AccountApi } from "@carteiro/schema/access/Account.ts"
import { ApiKeysApi, CreateApiKey, RenameApiKey } from "@carteiro/schema/access/ApiKey.ts"
import {
  CreateDeviceAuthorization,
  DeviceAuthorizationsApi,
  PollDeviceAuthorization
} from "@carteiro/schema/access/DeviceAuthorization.ts"
import { assert, describe, it } from "@effect/vitest"
import { bodyOutcome, queryOutcome, traitsOf } from "./Contract.ts"

const keys = ApiKeysApi.endpoints
const devices = DeviceAuthorizationsApi.endpoints
const key = { name: "CI", environment: "sandbox", scopes: ["messages:read"] }
const device = { client_name: "Agent", environment: "sandbox", scopes: ["messages:read"] }
const grant = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: "dvc_x" }
const grinning = "😀"

describe("Access contract", () => {
  it("every route is below /v1 A-CONV-07 A-VER-01", () => {
    const all = [AccountApi, ApiKeysApi, DeviceAuthorizationsApi].flatMap(({ endpoints }) => Object.values(endpoints))
    assert.deepStrictEqual(
      all.map(({ method, path }) => `${method} ${path}`),
      [
        "GET /v1/account",
        "GET /v1/me",
        "POST /v1/api-keys",
        "GET /v1/api-keys",
        "GET /v1/api-keys/:api_key_id",
        "PATCH /v1/api-keys/:api_key_id",
        "POST /v1/api-keys/:api_key_id/rotate",
        "DELETE /v1/api-keys/:api_key_id",
        "POST /v1/agent-api-key-device-authorizations",
        "POST /v1/agent-api-key-device-authorizations/token"
      ]
    )
  })

  it("key routes need api_keys:admin, the account needs no scope, the device flow no key A-KEY-08 A-ACCT-03 A-DEV-01 A-DEV-12", () => {
    for (const endpoint of Object.values(keys)) {
      assert.deepStrictEqual(traitsOf(endpoint).scopes, ["api_keys:admin"], endpoint.identifier)
      assert.strictEqual(traitsOf(endpoint).validation, "invalid_api_key_request")
    }
    for (const endpoint of Object.values(AccountApi.endpoints)) assert.deepStrictEqual(traitsOf(endpoint).scopes, [])
    for (const endpoint of Object.values(devices)) assert.strictEqual(traitsOf(endpoint).authentication, "none")
  })

  it("only create and rotate honor an idempotency key, bound to the calling key A-IDEM-02 A-IDEM-14", () => {
    const all = [AccountApi, ApiKeysApi, DeviceAuthorizationsApi].flatMap(({ endpoints }) => Object.values(endpoints))
    const honoring = all.filter((endpoint) => (traitsOf(endpoint).idempotency ?? "none") !== "none")
    assert.deepStrictEqual(honoring, [keys.create, keys.rotate])
    for (const endpoint of honoring) assert.include(traitsOf(endpoint), { idempotency: "optional", perKey: true })
  })

  it("among the key routes only create is restricted without credit A-AUTH-16", () => {
    const restricted = Object.values(keys).filter((endpoint) => traitsOf(endpoint).restrictedWithoutCredit === true)
    assert.deepStrictEqual(restricted, [keys.create])
  })

  it.each<[string, unknown]>([
    ["accepted", key],
    ["accepted", { ...key, scopes: [] }],
    ["accepted", { ...key, project_id: null, expires_at: null }],
    ["accepted", { ...key, project_id: "anything", expires_at: "2030-01-01T00:00:00+02:00" }],
    ["accepted", { ...key, name: "x".repeat(255) }],
    ["invalid_api_key_request -", []],
    ["invalid_api_key_request name", {}],
    ["invalid_api_key_request name", { ...key, name: null }],
    ["invalid_api_key_request name", { ...key, name: " \n" }],
    ["invalid_api_key_request name", { ...key, name: "x".repeat(256) }],
    ["invalid_api_key_request name", { ...key, name: "a\u0000b" }],
    ["invalid_api_key_request environment", { ...key, environment: "live" }],
    ["invalid_api_key_request environment", { name: "CI", scopes: [] }],
    ["invalid_api_key_request project_id", { ...key, project_id: 7 }],
    ["invalid_api_key_request scopes", { name: "CI", environment: "sandbox" }],
    ["invalid_api_key_request scopes", { ...key, scopes: "messages:read" }],
    ["invalid_api_key_request scopes", { ...key, scopes: Array(65).fill("messages:read") }],
    ["invalid_api_key_request scopes.1", { ...key, scopes: ["messages:read", "messages:*"] }],
    ["invalid_api_key_request scopes.0", { ...key, scopes: ["api_keys:admin"] }],
    ["invalid_api_key_request expires_at", { ...key, expires_at: "2030-01-01T00:00:00" }],
    ["invalid_api_key_request expires_at", { ...key, expires_at: 1893456000000 }],
    ["invalid_api_key_request expire_at", { ...key, expire_at: "2030-01-01T00:00:00Z" }],
    ["invalid_api_key_request scopes.0", { extra: 1, expires_at: 1, scopes: [1], environment: "sandbox", name: "CI" }]
  ])("create answers %s to %j A-KEY-10 A-KEY-11 A-KEY-12 A-KEY-13 A-KEY-21 A-KEY-31 A-CONV-11", (expected, body) => {
    assert.strictEqual(bodyOutcome(keys.create, CreateApiKey)(body), expected)
  })

  it.each<[string, unknown]>([
    ["accepted", { name: "abc" }],
    ["accepted", { name: grinning.repeat(80) }],
    ["invalid_api_key_request name", { name: "ab" }],
    ["invalid_api_key_request name", { name: " ab " }],
    ["invalid_api_key_request name", { name: "x".repeat(81) }],
    ["invalid_api_key_request name", { name: null }],
    ["invalid_api_key_request name", {}],
    ["invalid_api_key_request scopes", { name: "abc", scopes: [] }]
  ])("rename answers %s to %j A-KEY-25 A-LIM-07", (expected, body) => {
    assert.strictEqual(bodyOutcome(keys.rename, RenameApiKey)(body), expected)
  })

  it.each([
    ["accepted", {}],
    ["accepted", { limit: "1" }],
    ["accepted", { limit: "100", starting_after: "" }],
    ["invalid_api_key_request limit", { limit: "0" }],
    ["invalid_api_key_request limit", { limit: "101" }],
    ["invalid_api_key_request limit", { limit: "1.5" }],
    ["invalid_api_key_request limit", { limit: "" }]
  ])("the key list answers %s to %j A-KEY-23 A-CONV-15 A-LIM-04", (expected, query) => {
    assert.strictEqual(queryOutcome(keys.list)(query), expected)
  })

  it.each<[string, unknown]>([
    ["accepted", device],
    ["accepted", { ...device, expires_at: "2030-01-01T00:00:00Z" }],
    ["accepted", { ...device, client_name: grinning.repeat(80) }],
    ["invalid_device_authorization_request client_name", {}],
    ["invalid_device_authorization_request client_name", { ...device, client_name: "" }],
    ["invalid_device_authorization_request client_name", { ...device, client_name: "x".repeat(81) }],
    ["invalid_device_authorization_request environment", { ...device, environment: "test" }],
    ["invalid_device_authorization_request scopes", { client_name: "a", environment: "sandbox" }],
    ["invalid_device_authorization_request scopes.1", { ...device, scopes: ["messages:read", "api_keys:admin"] }],
    ["invalid_device_authorization_request scopes.0", { ...device, scopes: ["everything"] }],
    ["invalid_device_authorization_request expires_at", { ...device, expires_at: "soon" }],
    ["invalid_device_authorization_request client_id", { ...device, client_id: "x" }]
  ])("device create answers %s to %j A-DEV-03 A-DEV-04 A-DEV-05 A-DEV-06", (expected, body) => {
    assert.strictEqual(bodyOutcome(devices.create, CreateDeviceAuthorization)(body), expected)
  })

  it.each<[string, unknown]>([
    ["accepted", grant],
    ["accepted", { ...grant, client_id: "ignored" }],
    ["invalid_device_authorization_request grant_type", {}],
    ["invalid_device_authorization_request grant_type", { ...grant, grant_type: "device_code" }],
    ["invalid_device_authorization_request device_code", { grant_type: grant.grant_type }],
    ["invalid_device_authorization_request device_code", { ...grant, device_code: "" }]
  ])("device token answers %s to %j A-DEV-13 A-DEV-14", (expected, body) => {
    assert.strictEqual(bodyOutcome(devices.token, PollDeviceAuthorization)(body), expected)
  })
})
