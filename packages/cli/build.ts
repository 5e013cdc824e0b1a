import { rmSync } from "node:fs"
import { join } from "node:path"
import { build } from "rolldown"

// Builds the published package into `dist`, or into the given folder: one program without dependencies, each command a
// part loaded when it runs.

const dir = process.argv[2] ?? join(import.meta.dirname, "dist")
rmSync(dir, { recursive: true, force: true })
await build({
  input: { main: join(import.meta.dirname, "main.ts") },
  platform: "node",
  output: { dir, format: "esm", minify: true, chunkFileNames: "[name]-[hash].js" }
})
