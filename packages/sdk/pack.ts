import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { publishedManifest } from "./codegen/Manifest.ts"

// Runs before (`begin`) and after `npm pack`. In the workspace the package is its source. While it is packed, its package.json is the
// published one, which names what `build.ts` makes in `dist`. A packing that was cut off is mended by the next.

const manifest = join(import.meta.dirname, "package.json")
const ofWorkspace = join(import.meta.dirname, "package.json.workspace")

if (existsSync(ofWorkspace)) renameSync(ofWorkspace, manifest)
if (process.argv[2] === "begin") {
  const built = spawnSync(process.execPath, [join(import.meta.dirname, "build.ts")], { stdio: "inherit" })
  if (built.status !== 0) process.exit(1)
  const workspace = readFileSync(manifest, "utf8")
  writeFileSync(ofWorkspace, workspace)
  writeFileSync(manifest, publishedManifest(workspace, "./dist"))
}
