import { readdirSync, statSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { mostPictureBytes, pictured, pictureName, pictureViews } from "../browser/PictureList.ts"
import { documents, read, root } from "./GuideBlocks.ts"

const folder = `${root}docs/images/`
const names = pictured.flatMap((page) => pictureViews.map((view) => pictureName(page, view)))

it("twenty pages of the console stand in the gallery in light and dark, wide and narrow, and no other picture of it", () => {
  assert.strictEqual(pictured.length, 20)
  assert.sameMembers(
    readdirSync(folder).filter((name) => name.endsWith(".webp")),
    names
  )
  const shown = [...read("docs/gallery.md").matchAll(/\]\(images\/([^)]*)\)/g)].map(([, name = ""]) => name)
  assert.sameMembers(shown, names)
})

it("a picture of the console has 64 kB at most, and every picture that a document shows is there", () => {
  for (const name of names) assert.isAtMost(statSync(`${folder}${name}`).size, mostPictureBytes, name)
  const there = new Set(readdirSync(folder))
  for (const document of documents)
    for (const [, name = ""] of read(document).matchAll(/\]\((?:docs\/|\.\.\/)?images\/([^)]*)\)/g))
      assert.isTrue(there.has(name), `${document}: ${name}`)
})
