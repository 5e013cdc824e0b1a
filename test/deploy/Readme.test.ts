import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { load } from "js-yaml"
import { blocksOf } from "../docs/GuideBlocks.ts"

const project = fileURLToPath(new URL("../../", import.meta.url))
const read = (path: string) => readFileSync(join(project, path), "utf8")
const guide = read("deploy/README.md")
const blocks = blocksOf("deploy/README.md")

/** The commands of the guide; what a here-document holds is none. */
const commands = blocks.flatMap((block) =>
  block
    .replaceAll(/<<EOF\n.*?^EOF$/gms, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
)

/** The rows of the table of commands and tests. */
const rows = [...guide.matchAll(/^\| `(.+?)` \| `(test\/.+?)`: (.+?) \|$/gm)].map(
  ([, command = "", file = "", name = ""]) => ({
    command,
    file,
    name
  })
)

const inFolder = <A>(use: (folder: string) => A): A => {
  const folder = mkdtempSync(join(tmpdir(), "carteiro-readme-"))
  try {
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe("the guide of deploy", () => {
  it("names a test for each of its commands, and only existing tests", () => {
    assert.isAbove(commands.length, 8)
    for (const line of commands) {
      assert.isTrue(
        rows.some(({ command }) => line.startsWith(command)),
        line
      )
    }
    for (const { command, file, name } of rows) {
      assert.isTrue(
        commands.some((line) => line.startsWith(command)),
        command
      )
      assert.include(read(file), name)
    }
  })

  it("the first steps make every setting that the compose file requires, readable by its owner only", () => {
    inFolder((folder) => {
      mkdirSync(join(folder, "deploy"))
      const [first = ""] = blocks
      execFileSync("sh", ["-ec", first.replace("deploy/make-certificates.sh\n", "")], { cwd: folder })
      const path = join(folder, "deploy/.env")
      assert.strictEqual(statSync(path).mode & 0o077, 0)
      const lines = readFileSync(path, "utf8").trim().split("\n")
      const made = new Map(lines.map((line) => line.split("=", 2) as [string, string]))
      const asked = new Set([...read("deploy/compose.yaml").matchAll(/\$\{(\w+):\?/g)].map(([, name = ""]) => name))
      assert.sameMembers([...made.keys()], [...asked])
      assert.match(made.get("CARTEIRO_MASTER_KEY") ?? "", /^[0-9a-f]{64}$/)
      for (const [name, value] of made) assert.isNotEmpty(value, name)
    })
  })

  it("the backup is one file named by its time", () => {
    const { services } = load(read("deploy/compose.yaml")) as {
      readonly services: {
        readonly backup: { readonly command: ReadonlyArray<string>; readonly volumes: ReadonlyArray<string> }
      }
    }
    const { command, volumes } = services.backup
    assert.deepStrictEqual(volumes, ["./backups:/backups"])
    inFolder((folder) => {
      const program = join(folder, "pg_dump")
      writeFileSync(program, '#!/bin/sh\necho "$@"\n')
      chmodSync(program, 0o755)
      const [shell = "", ...words] = command.map((word) => word.replaceAll("$$", "$"))
      const asked = execFileSync(shell, words, { env: { PATH: `${folder}:${process.env.PATH}` }, encoding: "utf8" })
      assert.match(asked, /^--format=custom --file=\/backups\/carteiro-\d{8}T\d{6}Z\.dump\n$/)
    })
  })

  it("links to existing pages and sections", () => {
    for (const [, path = "", section] of guide.matchAll(/\]\(([^)#]+)(?:#([^)]+))?\)/g)) {
      const at = join(project, "deploy", path)
      assert.isTrue(existsSync(at), path)
      if (section === undefined) continue
      const headings = [...readFileSync(at, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) =>
        text
          .toLowerCase()
          .replaceAll(/[^a-z0-9 -]/g, "")
          .replaceAll(" ", "-")
      )
      assert.include(headings, section)
    }
  })
})
