import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { TemplateDirectory } from "@carteiro/runtime/templates/Templates.ts"
import { seededContents } from "@carteiro/runtime/templates/template/SeededTemplates.ts"
import { TemplateRepo } from "@carteiro/runtime/templates/template/TemplateRepo.ts"
import { id } from "@carteiro/schema/conventions/Ids.ts"
import { directory, migrate } from "@carteiro/tables/Migrations.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedKey } from "../support/Tenants.ts"
import { create } from "../support/TestDatabase.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const names = Object.entries(seededContents)

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Seeded templates", (it) => {
  it.effect(
    'a new sandbox begins with welcome, promo and code; production with none gaps-2 J "Quickstart content"',
    () =>
      Effect.gen(function* () {
        const { acme, get, post } = yield* Api
        const made = yield* post("/v1/projects", { name: "Loja" }, { key: acme.production.key })
        assert.strictEqual(made.status, 201, made.text)
        const place = { organization_id: acme.organization_id, project_id: made.body.id as string }
        const sandbox = { ...place, id: made.body.environments[0].id as string, kind: "sandbox" as const }
        const { key } = yield* seedKey(sandbox, {})
        const { body } = yield* get("/v1/sandbox/quickstart", { key })
        assert.sameDeepMembers(
          body.templates.items.map(({ id: _, ...shown }: { id: string }) => shown),
          names.map(([name, { category }]) => ({ name, language: "pt_BR", category, status: "approved" }))
        )
        const templates = yield* TemplateDirectory
        const production = made.body.environments[1].id as string
        assert.deepStrictEqual(yield* templates.list(production, {}, undefined, 10), [])
      })
  )
})

const ownCode = {
  category: "authentication",
  parameter_format: "POSITIONAL",
  components: [{ type: "BODY", text: "Seu código de verificação é {{1}}.", example: { body_text: [["482913"]] } }]
}

// Nodes of the release before read these rows too, and know no template without a text.
it.effect(
  'sandboxes of an older database get the same by the migration, and keep a code with its own text U-TPL-04 gaps-2 J "Quickstart content"',
  () =>
    Effect.gen(function* () {
      const before = mkdtempSync(join(tmpdir(), "carteiro-templates-"))
      const older = readdirSync(directory).filter((name) => name < "0012")
      for (const name of older) copyFileSync(join(directory, name), join(before, name))
      const url = yield* create("template0")
      const found = yield* Effect.provide(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* migrate(before)
          const at = new Date("2026-01-01T00:00:00Z")
          yield* sql`insert into organizations (id, name, created_at) values ('org_1', 'Acme', ${at})`
          yield* sql`insert into projects (organization_id, id, name, slug, created_at, updated_at)
          values ('org_1', 'prj_1', 'One', 'one', ${at}, ${at})`
          yield* sql`insert into environments (id, organization_id, project_id, kind, created_at)
          values ('env_01kdvv7500abcdefghjkmnpqrs', 'org_1', 'prj_1', 'sandbox', ${at}),
            ('env_01kdvv7500abcdefghjkmnpqrt', 'org_1', 'prj_1', 'production', ${at})`
          yield* migrate()
          const repo = yield* TemplateRepo
          return {
            sandbox: (yield* repo.list("env_01kdvv7500abcdefghjkmnpqrs", {}, undefined, 10)).rows,
            production: (yield* repo.list("env_01kdvv7500abcdefghjkmnpqrt", {}, undefined, 10)).rows
          }
        }),
        Layer.provideMerge(TemplateRepo.layer, Sql.layer(url, { applicationName: "carteiro-test" })),
        { local: true }
      )
      rmSync(before, { recursive: true })
      assert.deepStrictEqual(found.production, [])
      assert.sameDeepMembers(
        found.sandbox.map(({ name, newest: { category, components, parameter_format } }) => [
          name,
          { category, parameter_format, components }
        ]),
        names.map(([name, content]) => [name, name === "code" ? ownCode : content])
      )
      for (const { approved, id: own, newest } of found.sandbox) {
        assert.deepStrictEqual(approved, newest)
        assert.isTrue(Schema.is(id("tpl"))(own), own)
        assert.isTrue(Schema.is(id("tplv"))(newest.id), newest.id)
        assert.strictEqual(newest.created_at, Date.parse("2026-01-01T00:00:00Z"))
      }
    })
)
