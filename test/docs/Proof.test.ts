import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { read, root } from "./GuideBlocks.ts"

/** The last cell of each row: files, each with the names that are quoted after it. */
const evidence = read("docs/proof.md")
  .split("\n")
  .filter((line) => line.startsWith("| ") && line.includes("`test/"))
  .map((line) => {
    const [subject = "", , shown = ""] = line.split(" | ")
    const files = [...shown.matchAll(/`(test\/[^`]+)`: ((?:"[^"]+"(?:; )?)+)/g)].map(([, file = "", names = ""]) => ({
      file,
      names: [...names.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name)
    }))
    return { subject, files }
  })

describe("The page of proof", () => {
  it("names existing tests in every row", () => {
    assert.isAbove(evidence.length, 20)
    for (const { files, subject } of evidence) {
      assert.isNotEmpty(files, subject)
      for (const { file, names } of files) {
        assert.isTrue(existsSync(join(root, file)), file)
        const text = readFileSync(join(root, file), "utf8").replaceAll(/\\(["'`])/g, "$1")
        for (const name of names) assert.include(text, name, `${file} in the row ${subject}`)
      }
    }
  })
})
