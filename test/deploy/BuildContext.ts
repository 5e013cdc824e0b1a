import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import dockerignore from "@balena/dockerignore"

/**
 * Copies to `target` the files of `project` that a container builder sends: those that the ignore file lets through, by
 * the builder's own rules.
 */
export const copyBuildContext = (project: string, ignoreFile: string, target: string): void => {
  const patterns = readFileSync(ignoreFile, "utf8").split("\n")
  const letIn = patterns.flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []))
  const matcher = dockerignore.default().add(patterns)
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(project, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name)
      const isIgnored = matcher.ignores(path)
      if (entry.isDirectory()) {
        if (!isIgnored || letIn.some((pattern) => pattern.startsWith(`${path}/`))) walk(path)
      } else if (!isIgnored) {
        mkdirSync(dirname(join(target, path)), { recursive: true })
        cpSync(join(project, path), join(target, path), { verbatimSymlinks: true })
      }
    }
  }
  walk("")
}
