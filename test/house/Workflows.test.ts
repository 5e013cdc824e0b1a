import { spawnSync } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { load } from "js-yaml"

const root = join(import.meta.dirname, "../..")
const read = (path: string) => readFileSync(join(root, path), "utf8")
const scripts = Object.keys(JSON.parse(read("package.json")).scripts)

interface Step {
  readonly run?: string
  readonly uses?: string
  readonly shell?: string
  readonly "working-directory"?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Job {
  readonly "runs-on"?: string
  readonly uses?: string
  readonly needs?: string | ReadonlyArray<string>
  readonly "timeout-minutes"?: number
  readonly container?: { readonly image: string }
  readonly strategy?: { readonly matrix: { readonly os?: ReadonlyArray<string> } }
  readonly steps?: ReadonlyArray<Step>
}

interface Workflow {
  readonly name: string
  readonly on: Readonly<Record<string, unknown>>
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

const workflowPaths = globSync(".github/workflows/*.yml", { cwd: root }).toSorted()
const actionPaths = globSync(".github/actions/*/action.yml", { cwd: root }).toSorted()
const workflows = workflowPaths.map((path) => [path, load(read(path)) as Workflow] as const)
const actions = actionPaths.map(
  (path) => [path, load(read(path)) as { readonly runs: { readonly steps: ReadonlyArray<Step> } }] as const
)
const jobs = workflows.flatMap(([path, one]) =>
  Object.entries(one.jobs).map(([name, job]) => [`${path} ${name}`, job] as const)
)
const steps = [
  ...jobs.flatMap(([at, job]) => (job.steps ?? []).map((step) => [at, step] as const)),
  ...actions.flatMap(([path, { runs }]) => runs.steps.map((step) => [path, step] as const))
]
/** Every command of workflows, of actions and of the container for editors. */
const container = JSON.parse(read(".devcontainer/devcontainer.json"))
const commands = [
  ...steps.flatMap(([at, { run, "working-directory": folder }]) =>
    run === undefined ? [] : [[at, run, folder] as const]
  ),
  [".devcontainer onCreateCommand", String(container.onCreateCommand), undefined] as const,
  [".devcontainer updateContentCommand", String(container.updateContentCommand), undefined] as const
]

const ownFolders = "\\.ci|\\.github|deploy|docs|packages|runtime|schema|test"

describe("Workflows", () => {
  it("are those of every change and of a release, each with least permissions, a ground and a bound", () => {
    assert.deepStrictEqual(
      workflows.map(([, { name }]) => name),
      ["ci", "release"]
    )
    for (const [path, { permissions }] of workflows) assert.deepStrictEqual(permissions, { contents: "read" }, path)
    for (const [at, job] of jobs) {
      if (job.uses !== undefined) continue
      assert.isString(job["runs-on"], at)
      assert.isNumber(job["timeout-minutes"], at)
      assert.isNotEmpty(job.steps, at)
    }
    for (const [path, workflow] of workflows) {
      for (const [name, { needs = [] }] of Object.entries(workflow.jobs)) {
        for (const one of [needs].flat()) assert.property(workflow.jobs, one, `${path} ${name}`)
      }
    }
  })

  it("run the check, the units on Linux and macOS, processes with drills, the browser, and the nodes for n8n", () => {
    const ci = workflows.find(([, { name }]) => name === "ci")?.[1].jobs ?? {}
    assert.hasAllKeys(ci, ["check", "unit", "processes-and-drills", "browser", "n8n"])
    assert.deepStrictEqual(
      ci.unit?.strategy?.matrix.os?.map((os) => os.split("-")[0]),
      ["ubuntu", "macos"]
    )
    const all = commands.map(([, command]) => command).join("\n")
    const projects = [...read("vitest.config.ts").matchAll(/project\("(\w+)"/g)].map(([, name = ""]) => name)
    assert.includeMembers(projects, ["process", "unit"])
    for (const name of projects) assert.include(all, `--project ${name}`, "every project of tests runs in a job")
    for (const [, name = ""] of all.matchAll(/--project (\w+)/g)) assert.include(projects, name)
  })

  it("name scripts of package.json, workspaces, actions and files that exist", () => {
    for (const [at, command, folder = "."] of commands) {
      const scripts = Object.keys(JSON.parse(read(join(folder, "package.json"))).scripts)
      for (const [, script = ""] of command.matchAll(/\bnpm run ([\w:]+)/g)) assert.include(scripts, script, at)
      for (const [, workspace = ""] of command.matchAll(/--workspace (\S+)/g)) {
        assert.isTrue(existsSync(join(root, workspace, "package.json")), `${at}: ${workspace}`)
      }
      for (const [, path = ""] of command.matchAll(new RegExp(`(?<![\\w./@-])((?:${ownFolders})/[\\w./-]+)`, "g"))) {
        assert.isTrue(existsSync(join(root, path)), `${at}: ${path}`)
      }
    }
    for (const [at, step] of [
      ...steps,
      ...jobs.map(([at, { uses }]) => [at, uses === undefined ? {} : { uses }] as const)
    ]) {
      if (step.uses?.startsWith("./")) assert.isTrue(existsSync(join(root, step.uses)), `${at}: ${step.uses}`)
      else if (step.uses !== undefined) assert.match(step.uses, /^(?:actions|docker)\/[\w-]+@v\d+$/, at)
      const { file } = ("with" in step && step.with) || {}
      if (file !== undefined) assert.isTrue(existsSync(join(root, String(file))), `${at}: ${file}`)
    }
  })

  it("have commands that the shell parses", () => {
    for (const [at, command] of commands) {
      const script = command.replaceAll(/\$\{\{.*?\}\}/g, "value")
      const { status, stderr } = spawnSync("bash", ["-n"], { input: script, encoding: "utf8" })
      assert.deepStrictEqual([status, stderr], [0, ""], at)
    }
  })

  it("name public hosts alone, and the Node.js of the image", () => {
    const isPublic = new Set(["ghcr.io", "registry.npmjs.org", "mcr.microsoft.com"])
    const texts = [...globSync(".github/**/*.*", { cwd: root }), ".devcontainer/devcontainer.json"].map(
      (path) => [path, read(path)] as const
    )
    for (const [path, text] of texts) {
      for (const [, host = ""] of text.matchAll(
        /(?:https?:\/\/|\b)((?:[a-z0-9-]+\.)+(?:com|org|io|net|dev|internal|local))(?=[/:\s"]|$)/g
      )) {
        assert.isTrue(isPublic.has(host), `${path}: ${host}`)
      }
    }
    const [, base = ""] = read("deploy/Dockerfile").match(/^ARG BASE=(\S+)-slim$/m) ?? []
    for (const [at, { container }] of jobs) if (container !== undefined) assert.strictEqual(container.image, base, at)
  })

  it("publish the version that package.json and the packed packages have, and whose description is kept", () => {
    const release = workflows.find(([, { name }]) => name === "release")?.[1].jobs ?? {}
    assert.hasAllKeys(release, ["prepared", "ci", "tag", "image", "packages"])
    assert.strictEqual(release.ci?.uses, "./.github/workflows/ci.yml")
    for (const name of ["image", "packages"]) assert.include([release[name]?.needs].flat(), "tag", name)
    const version = (path: string) => JSON.parse(read(path)).version
    for (const name of ["sdk", "cli", "n8n-nodes-carteiro"]) {
      assert.strictEqual(version(`packages/${name}/package.json`), version("package.json"), name)
    }
    const packing = (release.packages?.steps ?? []).map(({ run = "" }) => run).join("\n")
    assert.match(packing, /npm run pack -- packed\n/)
    assert.match(packing, /gh release upload "v\$VERSION" packed\/\*\.tgz packed\/SHA512SUMS/)
    assert.isTrue(existsSync(join(root, `schema/releases/${version("package.json")}.json.gz`)))
    assert.include(read("CHANGELOG.md"), `## [${version("package.json")}]`)
  })
})

describe("What GitHub shows to outsiders", () => {
  it("has forms with a name, a description and fields", () => {
    const forms = globSync(".github/ISSUE_TEMPLATE/*.yml", { cwd: root }).filter((path) => !path.endsWith("config.yml"))
    assert.isAbove(forms.length, 1)
    for (const path of forms) {
      const form = load(read(path)) as {
        readonly name: string
        readonly description: string
        readonly body: ReadonlyArray<{ readonly type: string; readonly id?: string; readonly attributes: object }>
      }
      assert.isNotEmpty(form.name, path)
      assert.isNotEmpty(form.description, path)
      const ids = form.body.flatMap(({ id }) => id ?? [])
      assert.strictEqual(new Set(ids).size, ids.length, path)
      for (const field of form.body) {
        assert.include(["markdown", "textarea", "input", "dropdown", "checkboxes"], field.type, path)
        assert.property(field.attributes, field.type === "markdown" ? "value" : "label", path)
      }
    }
    for (const [, script = ""] of read(".github/PULL_REQUEST_TEMPLATE.md").matchAll(/npm run ([\w:]+)/g)) {
      assert.include(scripts, script)
    }
  })

  it("has owners and updates for folders that exist", () => {
    const owned = read(".github/CODEOWNERS")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
    for (const line of owned) {
      const [pattern = "", ...owners] = line.split(/\s+/)
      if (pattern !== "*") assert.isTrue(existsSync(join(root, pattern)), pattern)
      assert.isNotEmpty(owners, pattern)
      for (const owner of owners) assert.match(owner, /^@[\w-]+\/[\w-]+$/)
    }
    const { updates, version } = load(read(".github/dependabot.yml")) as {
      readonly version: number
      readonly updates: ReadonlyArray<{
        readonly "package-ecosystem": string
        readonly directory?: string
        readonly directories?: ReadonlyArray<string>
        readonly schedule: { readonly interval: string }
      }>
    }
    assert.strictEqual(version, 2)
    assert.deepStrictEqual(
      updates.map((one) => one["package-ecosystem"]),
      ["npm", "github-actions", "docker"]
    )
    for (const { directories = [], directory, schedule } of updates) {
      assert.match(schedule.interval, /^(?:daily|weekly|monthly)$/)
      for (const one of [directory ?? [], directories].flat()) assert.isTrue(existsSync(join(root, one)), one)
    }
  })

  it("has a container for editors with the Node.js of the product and the port of npm start", () => {
    assert.match(container.image, /javascript-node:24-/)
    assert.deepStrictEqual(container.forwardPorts, [8080])
  })
})
