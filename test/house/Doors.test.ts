import { assert, it } from "@effect/vitest"
import { doorsToOthers } from "./Doors.ts"
import { readSource } from "./SourceText.ts"

const breaches = (files: Readonly<Record<string, string>>) =>
  doorsToOthers(new Map(Object.entries(files).map(([path, text]) => [path, readSource(text)]))).map(
    ({ message }) => message
  )

const door = { "runtime/media/Media.ts": 'export { Blobs } from "./blob/Blobs.ts"' }
const taken = 'import { Blobs } from "../../media/Media.ts"'

it("a door hands a name to other rooms, and one that only the operator's commands call stands in their door", () => {
  const commands = { "runtime/cli/commands/Any.ts": taken }
  assert.deepStrictEqual(breaches({ ...door, "runtime/batches/feed/Any.ts": taken }), [])
  assert.deepStrictEqual(breaches({ ...door, ...commands, "runtime/batches/feed/Any.ts": taken }), [])
  assert.deepStrictEqual(breaches({ ...door, ...commands }), [
    "Blobs: only the operator's commands call it, so it stands in runtime/media/Operator.ts"
  ])
  assert.deepStrictEqual(breaches({ "runtime/media/Operator.ts": 'export { Blobs } from "./blob/Blobs.ts"' }), [])
})

it("a door hands out no name that nobody takes", () => {
  assert.deepStrictEqual(breaches(door), ["nobody takes Blobs"])
})
