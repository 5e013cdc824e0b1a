import { defineTable, type Table, text } from "@carteiro/tables/Table.ts"
import { assert, describe, it } from "@effect/vitest"
import { declaredTables, misplacedTables } from "./DeclaredTables.ts"
import { houseViolations } from "./ImportRules.ts"
import { readSource } from "./SourceText.ts"
import { usedByOthers } from "./Tables.ts"
import { unusedExports } from "./UnusedExports.ts"

const broken = (files: Readonly<Record<string, string>>) =>
  houseViolations(new Map(Object.entries(files))).map(({ path, rule }) => `${rule} ${path}`)

const table = (name: string, owner: string): Table =>
  defineTable(name, { owner, erasure: "erased", key: ["id"], columns: { id: text } })

const mails = "runtime/mail/MailTables.ts"
const mailText = `import { defineTable, text } from "@carteiro/tables/Table.ts"
export const emailsTable = defineTable("emails", { owner: "mail", erasure: "erased", key: ["id"], columns: { id: text } })`

describe("declarations of tables", () => {
  it("stand in the folder of their owner, once, and every exception names one", () => {
    assert.deepStrictEqual(misplacedTables(declaredTables, Object.keys(usedByOthers)), [])
    const declared = [
      { path: "runtime/mail/MailTables.ts", table: table("emails", "mail") },
      { path: "runtime/media/asset/AssetTables.ts", table: table("media_assets", "batches") },
      { path: "runtime/mail/OtherTables.ts", table: table("emails", "mail") }
    ]
    assert.deepStrictEqual(
      misplacedTables(declared, ["emails", "letters"]).map(({ message, path }) => `${path}: ${message}`),
      [
        "runtime/media/asset/AssetTables.ts: media_assets belongs to batches: declare it there",
        "runtime/mail/OtherTables.ts: emails is declared twice",
        "test/house/Tables.ts: no file declares letters"
      ]
    )
  })

  it("are imported by their owner's folder and by tests", () => {
    const text = 'import { emailsTable } from "../../mail/MailTables.ts"'
    assert.deepStrictEqual(broken({ [mails]: mailText, "runtime/media/asset/Any.ts": text }), [
      "own-declarations runtime/media/asset/Any.ts"
    ])
    assert.deepStrictEqual(
      broken({ [mails]: mailText, "runtime/mail/MailWrites.ts": 'import { emailsTable } from "./MailTables.ts"' }),
      []
    )
    assert.deepStrictEqual(
      broken({
        [mails]: mailText,
        "test/mail/Any.test.ts": 'import { X } from "@carteiro/runtime/mail/MailTables.ts"'
      }),
      []
    )
  })

  it("load nothing but what declares them", () => {
    const declaring = (specifier: string, type = "") => ({
      [mails]: `import ${type}{ X } from "${specifier}"\n${mailText}`
    })
    assert.deepStrictEqual(broken(declaring("./MailRepo.ts")), [`declarations-alone ${mails}`])
    assert.deepStrictEqual(broken(declaring("effect")), [`declarations-alone ${mails}`])
    assert.deepStrictEqual(broken(declaring("./MailOutcome.ts", "type ")), [])
    assert.deepStrictEqual(broken(declaring("../erasure/Standings.ts")), [])
  })

  it("are in use without an import, as the lists read them; what stands beside them is not", () => {
    const source = readSource(`${mailText}\nexport const other = 1`)
    assert.deepStrictEqual(
      unusedExports(new Map([[mails, source]])).map(({ message }) => message),
      ["nothing imports other"]
    )
  })
})
