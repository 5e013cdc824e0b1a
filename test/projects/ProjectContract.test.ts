import { type ProjectRow, readProject } from "@carteiro/runtime/projects/ProjectRead.ts"
import { CreateProject, Project, ProjectsApi } from "@carteiro/schema/projects/Project.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { bodyOutcome, queryOutcome, traitsOf } from "../access/Contract.ts"

const { create, get, list } = ProjectsApi.endpoints
const ulid = "01kah7v3m8q6x2r9d4t5w0y1z3"
const row: ProjectRow = {
  id: `prj_${ulid}`,
  name: "Main",
  slug: "main",
  default_language: "pt_BR",
  default_region: "BR",
  profile: jsonText({ site: "https://example.com" }),
  archived_at: null,
  created_at: Date.parse("2026-01-01T00:00:00Z"),
  updated_at: Date.parse("2026-01-02T00:00:00Z"),
  sandbox_id: `env_${ulid}`,
  sandbox_created_at: Date.parse("2026-01-01T00:00:00Z"),
  production_id: "env_01kah7v3m8q6x2r9d4t5w0y1z4",
  production_created_at: Date.parse("2026-01-01T00:00:00Z")
}

describe("Projects contract", () => {
  it("creating needs projects:write, reading projects:read A-PROJ-05 A-PROJ-14 A-PROJ-19", () => {
    assert.strictEqual(create.path, "/v1/projects")
    assert.strictEqual(get.path, "/v1/projects/:project_id")
    assert.deepStrictEqual(traitsOf(create).scopes, ["projects:write"])
    assert.deepStrictEqual(traitsOf(list).scopes, ["projects:read"])
    assert.deepStrictEqual(traitsOf(get).scopes, ["projects:read"])
  })

  it("create takes an optional idempotency key and is restricted without credit A-IDEM-13 A-AUTH-16", () => {
    assert.include(traitsOf(create), {
      idempotency: "optional",
      restrictedWithoutCredit: true,
      rate: "project_create"
    })
  })

  it.each<[string, unknown]>([
    ["accepted", { name: "Main" }],
    ["accepted", { name: "Main", slug: "a-1" }],
    ["accepted", { name: "Main", slug: null }],
    ["accepted", { name: "x".repeat(120), slug: "x".repeat(80) }],
    ["invalid_project_body -", "Main"],
    ["invalid_project_body name", {}],
    ["invalid_project_body name", { name: "" }],
    ["invalid_project_body name", { name: "x".repeat(121) }],
    ["invalid_project_body slug", { name: "Main", slug: "" }],
    ["invalid_project_body slug", { name: "Main", slug: "x".repeat(81) }],
    ["invalid_project_body slug", { name: "Main", slug: "Main" }],
    ["invalid_project_body slug", { name: "Main", slug: "a_b" }],
    ["invalid_project_body slug", { name: "Main", slug: " a" }],
    ["invalid_project_body slug", { name: "Main", slug: "a\n" }],
    ["invalid_project_body default_language", { name: "Main", default_language: "en_US" }],
    ["invalid_project_body slug", { profile: {}, slug: 1, name: "Main" }]
  ])("create answers %s to %j A-PROJ-07 A-PROJ-08 A-PROJ-09 A-PROJ-10", (expected, body) => {
    assert.strictEqual(bodyOutcome(create, CreateProject)(body), expected)
  })

  it.each([
    ["accepted", { limit: "50" }],
    ["invalid_project_body limit", { limit: "51" }],
    ["invalid_project_body limit", { limit: "-1" }]
  ])("the list answers %s to %j A-PROJ-15 A-PROJ-18", (expected, query) => {
    assert.strictEqual(queryOutcome(list)(query), expected)
  })

  it("a read carries every field, its sandbox environment first A-PROJ-01 A-PROJ-02 A-PROJ-03 A-PROJ-04", () => {
    const read = readProject(row)
    assert.isTrue(Schema.is(Project)(read))
    assert.deepStrictEqual(read.profile, { site: "https://example.com" })
    assert.deepStrictEqual(
      read.environments.map(({ kind }) => kind),
      ["sandbox", "production"]
    )
    assert.isNull(read.archived_at)
    const archived_at = Date.parse("2026-03-01T00:00:00Z")
    assert.strictEqual(readProject({ ...row, archived_at }).archived_at, "2026-03-01T00:00:00.000Z")
  })
})
